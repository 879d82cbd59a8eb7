// Package openfile opens files that do not block for ever. Opening a FIFO waits until
// somebody opens its other end, and reading or writing one waits for that end: here all
// of it ends with a context.
package openfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// File is an open file whose reads and writes end with the context it was opened with.
type File struct {
	file *os.File
	ctx  context.Context
	stop func() bool // ends the watch over ctx
}

// Read opens a file for reading.
func Read(ctx context.Context, name string) (*File, error) {
	return Open(ctx, func() (*os.File, error) { return os.Open(name) })
}

// Write opens a file that is there for writing. It does not truncate it.
func Write(ctx context.Context, name string) (*File, error) {
	return Open(ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) })
}

// Open opens a file by a function of the caller. When ctx ends first the error is that
// of ctx, and the function goes on in a goroutine of its own, since nothing ends the
// system call; what it opens then is closed at once.
func Open(ctx context.Context, open func() (*os.File, error)) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	type result struct {
		file *os.File
		err  error
	}
	opened, left := make(chan result), make(chan struct{})
	go func() {
		f, err := open()
		select {
		case opened <- result{f, err}:
		case <-left:
			if err == nil {
				_ = f.Close()
			}
		}
	}()
	select {
	case r := <-opened:
		if r.err != nil {
			return nil, r.err
		}
		// Only pipes and the like know deadlines. A file on a disk does not wait.
		stop := context.AfterFunc(ctx, func() { _ = r.file.SetDeadline(time.Unix(1, 0)) })
		return &File{r.file, ctx, stop}, nil
	case <-ctx.Done():
		close(left)
		return nil, ctx.Err()
	}
}

// Read implements io.Reader. Once the context has ended its error is that of the context.
func (f *File) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.file.Read(p)
	return n, f.ended(err)
}

// Write implements io.Writer. Once the context has ended its error is that of the context.
func (f *File) Write(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.file.Write(p)
	return n, f.ended(err)
}

// ended gives the error of the context in place of that of the deadline it set.
func (f *File) ended(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return f.ctx.Err()
	}
	return err
}

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) { return f.file.Seek(offset, whence) }

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Close ends the use of the file.
func (f *File) Close() error {
	f.stop()
	return f.file.Close()
}

// ReadAll reads a whole file, as long as ctx has not ended.
func ReadAll(ctx context.Context, name string) ([]byte, error) {
	f, err := Read(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Lines reads a file, one item a line; clean says what a line holds, "" for nothing.
func Lines(ctx context.Context, name string, clean func(line string) string) ([]string, error) {
	text, err := ReadAll(ctx, name)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if line = clean(strings.TrimSpace(line)); line != "" {
			list = append(list, line)
		}
	}
	return list, nil
}
