package archive

import (
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// maxWindow bounds what a decoder remembers of what it gave: that of "xz -9" and of
// "zstd --long=26".
const maxWindow = 64 << 20

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

func openXz(r io.Reader) (io.Reader, error) { return xz.NewReader(r, maxWindow) }
