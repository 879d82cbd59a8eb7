//go:build linux

package hardening

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A doc writes a document. What it writes to cannot fail but by a full disk, which
// place.make tells.
type doc func(w io.Writer)

func text(s string) doc { return func(w io.Writer) { io.WriteString(w, s) } }

// repeat is s again and again, up to n octets.
func repeat(s string, n int) doc {
	return func(w io.Writer) {
		block := strings.Repeat(s, max(1, 1<<15/len(s)))
		for ; n > len(block); n -= len(block) {
			io.WriteString(w, block)
		}
		io.WriteString(w, block[:n/len(s)*len(s)])
	}
}

// numbered is a format with one number, n times.
func numbered(format string, n int) doc {
	return func(w io.Writer) {
		for i := range n {
			fmt.Fprintf(w, format, i)
		}
	}
}

// joined is one document after another.
func joined(all ...any) doc {
	return func(w io.Writer) {
		for _, d := range all {
			if s, ok := d.(string); ok {
				io.WriteString(w, s)
			} else {
				d.(doc)(w)
			}
		}
	}
}

// times is the same document n times, made once.
func times(n int, d doc) doc {
	return func(w io.Writer) {
		b := octets(d)
		for range n {
			w.Write(b)
		}
	}
}

func octets(d doc) []byte {
	var b bytes.Buffer
	d(&b)
	return b.Bytes()
}

func gz(d doc) doc {
	return func(w io.Writer) {
		z, _ := gzip.NewWriterLevel(w, gzip.BestCompression)
		d(z)
		z.Close()
	}
}

func deflated(d doc) doc {
	return func(w io.Writer) {
		z := zlib.NewWriter(w)
		d(z)
		z.Close()
	}
}

func xzed(d doc) doc {
	return func(w io.Writer) {
		z, err := xz.NewWriter(w)
		if err != nil {
			panic(err)
		}
		d(z)
		z.Close()
	}
}

func zst(d doc) doc {
	return func(w io.Writer) {
		z, err := zstd.NewWriter(w)
		if err != nil {
			panic(err)
		}
		d(z)
		z.Close()
	}
}

func br(d doc) doc {
	return func(w io.Writer) {
		z := brotli.NewWriterLevel(w, 5)
		d(z)
		z.Close()
	}
}

// filled is a document with noise behind it, so that it has n octets.
func filled(n int, d doc) doc {
	return func(w io.Writer) {
		b := octets(d)
		w.Write(b)
		noise := make([]byte, max(0, n-len(b)))
		rand.NewChaCha8([32]byte{}).Read(noise)
		w.Write(noise)
	}
}

func b64(d doc) doc {
	return func(w io.Writer) {
		e := base64.NewEncoder(base64.StdEncoding, w)
		d(e)
		e.Close()
	}
}

// bz2Zeros is n streams of bzip2, each of 50 octets that unfold to 9 MB of zeros;
// streams that follow one another are one document.
func bz2Zeros(n int) doc {
	b, _ := hex.DecodeString("425a6839314159265359eadd6ef80044ef6000c00000100008200030cc09aa69a0852ada810a55e2ee48a70a121d5baddf00")
	return func(w io.Writer) {
		for range n {
			w.Write(b)
		}
	}
}

// zeros are n octets.
func zeros(n int) doc { return repeat("\x00", n) }

// zipped is an archive of members with these names and documents in turn.
func zipped(all ...any) doc {
	return func(w io.Writer) {
		z := zip.NewWriter(w)
		for i := 0; i+1 < len(all); i += 2 {
			f, err := z.Create(all[i].(string))
			if err != nil {
				panic(err)
			}
			all[i+1].(doc)(f)
		}
		z.Close()
	}
}

// tarred is the same as a tar.
func tarred(all ...any) doc {
	return func(w io.Writer) {
		z := tar.NewWriter(w)
		for i := 0; i+1 < len(all); i += 2 {
			b := octets(all[i+1].(doc))
			if err := z.WriteHeader(&tar.Header{Name: all[i].(string), Mode: 0o644, Size: int64(len(b))}); err != nil {
				panic(err)
			}
			z.Write(b)
		}
		z.Close()
	}
}

// tarHead is one header of a tar with the sum that belongs to it.
func tarHead(name string, kind byte, size int64, set func(h []byte)) string {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00", size))
	copy(h[136:], "00000000000\x00")
	h[156] = kind
	copy(h[257:], "ustar\x0000")
	if set != nil {
		set(h)
	}
	copy(h[148:], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(h)
}

// base256 puts a number into a field of a tar's header as GNU tar does with large ones.
func base256(field []byte, n int64) {
	clear(field)
	binary.BigEndian.PutUint64(field[len(field)-8:], uint64(n))
	field[0] |= 0x80
}

// pax is a member of extended headers for the member that follows.
func pax(records ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(records); i += 2 {
		line := " " + records[i] + "=" + records[i+1] + "\n"
		n := len(line) + 1
		for len(fmt.Sprint(n))+len(line) != n {
			n++
		}
		fmt.Fprintf(&b, "%d%s", n, line)
	}
	return tarHead("PaxHeaders/x", 'x', int64(b.Len()), nil) + padded(b.String())
}

func padded(s string) string { return s + strings.Repeat("\x00", (512-len(s)%512)%512) }

// zipOver is a zip whose n members of the directory are all the one member that is there.
func zipOver(n int, d doc) doc {
	return func(w io.Writer) {
		var one bytes.Buffer
		z := zip.NewWriter(&one)
		f, _ := z.Create("a.txt")
		d(f)
		z.Close()
		b := one.Bytes()
		end := bytes.LastIndex(b, []byte("PK\x05\x06"))
		dir := binary.LittleEndian.Uint32(b[end+16:])
		entry := b[dir:end]
		w.Write(b[:dir])
		for range n {
			w.Write(entry)
		}
		size := n * len(entry)
		tail := bytes.Clone(b[end:])
		if n < 0xffff {
			binary.LittleEndian.PutUint16(tail[8:], uint16(n))
			binary.LittleEndian.PutUint16(tail[10:], uint16(n))
			binary.LittleEndian.PutUint32(tail[12:], uint32(size))
			w.Write(tail)
			return
		}
		zip64 := make([]byte, 56)
		copy(zip64, "PK\x06\x06")
		binary.LittleEndian.PutUint64(zip64[4:], 44)
		binary.LittleEndian.PutUint64(zip64[24:], uint64(n))
		binary.LittleEndian.PutUint64(zip64[32:], uint64(n))
		binary.LittleEndian.PutUint64(zip64[40:], uint64(size))
		binary.LittleEndian.PutUint64(zip64[48:], uint64(dir))
		w.Write(zip64)
		locator := make([]byte, 20)
		copy(locator, "PK\x06\x07")
		binary.LittleEndian.PutUint64(locator[8:], uint64(int(dir)+size))
		binary.LittleEndian.PutUint32(locator[16:], 1)
		w.Write(locator)
		copy(tail[8:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
		w.Write(tail)
	}
}

// zipPatched is a zip of one member, changed by set, which gets its local header, its
// entry in the directory and the end of the directory.
func zipPatched(d doc, set func(local, entry, end []byte)) doc {
	return func(w io.Writer) {
		b := octets(zipped("a.txt", d))
		end := bytes.LastIndex(b, []byte("PK\x05\x06"))
		dir := binary.LittleEndian.Uint32(b[end+16:])
		set(b[:dir], b[dir:end], b[end:])
		w.Write(b)
	}
}

// xzWindow is a stream of xz whose block header claims a dictionary of this size
// (as the format codes it: 40 is 4 GB less one octet).
func xzWindow(size byte, d doc) doc {
	return func(w io.Writer) {
		b := octets(xzed(d))
		head := b[12 : 12+4*(int(b[12])+1)]
		for i := 2; i+2 < len(head); i++ { // the filter LZMA2, one octet of properties
			if head[i] == 0x21 && head[i+1] == 1 {
				head[i+2] = size
				break
			}
		}
		binary.LittleEndian.PutUint32(head[len(head)-4:], crc32.ChecksumIEEE(head[:len(head)-4]))
		w.Write(b)
	}
}

// zstWindow is a frame of zstd that claims a window of 2^(10+exponent) octets and
// holds n raw zeros.
func zstWindow(exponent, n int) doc {
	return func(w io.Writer) {
		w.Write([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, byte(exponent << 3)})
		for n > 0 { // blocks of one octet that is repeated
			k := min(n, 1<<17)
			n -= k
			last := 0
			if n == 0 {
				last = 1
			}
			h := uint32(k)<<3 | 1<<1 | uint32(last)
			w.Write([]byte{byte(h), byte(h >> 8), byte(h >> 16), 0})
		}
	}
}

// lzwOnes is what compress(1) makes of one octet repeated: 130 kB unfold to n octets,
// at most 2 GB.
func lzwOnes(c byte, n int) doc {
	return func(w io.Writer) {
		w.Write([]byte{0x1f, 0x9d, 0x80 | 16})
		var acc uint64
		var have, count int
		width := 9
		put := func(code int) {
			acc |= uint64(code) << have
			have += width
			count++
			for have >= 8 {
				w.Write([]byte{byte(acc)})
				acc >>= 8
				have -= 8
			}
		}
		free, done := 257, 1
		put(int(c))
		for length := 2; done < n && free < 1<<16; length++ {
			if free > 1<<width-1 && width < 16 {
				for count%8 != 0 { // a group of eight codes is filled
					put(0)
				}
				width++
				count = 0
			}
			put(free)
			free++
			done += length
		}
		if have > 0 {
			w.Write([]byte{byte(acc)})
		}
	}
}

// warc is one response of a web archive, with these fields of HTTP.
func warc(target, fields string, body doc) doc {
	return func(w io.Writer) {
		b := octets(body)
		block := "HTTP/1.1 200 OK\r\n" + fields + "\r\n"
		fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s", target, len(block)+len(b), block)
		w.Write(b)
		io.WriteString(w, "\r\n\r\n")
	}
}

// mime is a message with one part that is coded so.
func mime(fields string, body doc) doc {
	return joined("From: a@b.example\nSubject: x\nMIME-Version: 1.0\n"+fields+"\n", body, "\n")
}

// nested puts a document n times into itself by wrap.
func nested(n int, d doc, wrap func(doc) doc) doc {
	for range n {
		b := octets(d)
		d = wrap(func(w io.Writer) { w.Write(b) })
	}
	return d
}
