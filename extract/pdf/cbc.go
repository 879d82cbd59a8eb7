package pdf

import (
	"crypto/aes"
	"crypto/cipher"
	"io"
)

// cbc decrypts AES in CBC mode behind its initialization vector, and cuts the padding off.
type cbc struct {
	in   io.Reader
	key  []byte
	mode cipher.BlockMode
	buf  [4096]byte
	out  []byte
	held [aes.BlockSize]byte // the last block, which may be padded
	has  bool
	err  error
}

func newCBC(r io.Reader, key []byte) *cbc { return &cbc{in: r, key: key} }

func (c *cbc) Read(p []byte) (int, error) {
	for len(c.out) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		c.fill()
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

func (c *cbc) fill() {
	if c.mode == nil {
		var iv [aes.BlockSize]byte
		block, err := aes.NewCipher(c.key)
		if _, short := io.ReadFull(c.in, iv[:]); err != nil || short != nil {
			c.err = io.EOF
			return
		}
		c.mode = cipher.NewCBCDecrypter(block, iv[:])
	}
	from := 0
	if c.has {
		from = copy(c.buf[:], c.held[:])
	}
	n, err := io.ReadFull(c.in, c.buf[from:])
	n = n / aes.BlockSize * aes.BlockSize // what is left of a block is lost
	c.mode.CryptBlocks(c.buf[from:from+n], c.buf[from:from+n])
	all := c.buf[:from+n]
	if err == nil {
		c.has = true
		c.out = all[:len(all)-aes.BlockSize]
		copy(c.held[:], all[len(all)-aes.BlockSize:])
		return
	}
	if c.err, c.out = io.EOF, all; len(all) == 0 {
		return
	}
	if pad := int(all[len(all)-1]); pad > 0 && pad <= aes.BlockSize {
		c.out = all[:len(all)-pad]
	}
}
