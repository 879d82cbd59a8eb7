package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"io"

	"linkcheck/extract/doc"
)

// crypt undoes the encryption of the standard security handler (ISO 32000-1 section 7.6.3,
// ISO 32000-2 section 7.6.4) where the user's password is empty. Permissions are for
// programs that print or change a document.
type crypt struct {
	key             []byte
	self            ref // the dictionary of the encryption, in which nothing is encrypted
	streams, string method
}

// method is how octets are encrypted.
type method int

const (
	identity method = iota
	methodRC4
	methodAES128
	methodAES256
)

// errPassword says that a document wants a password.
var errPassword = &doc.Foreign{Kind: "PDF with a password"}

// secure makes what is encrypted readable.
func (f *file) secure() error {
	e := f.dict(f.trailer["Encrypt"])
	if e == nil {
		return nil
	}
	c := &crypt{}
	c.self, _ = f.trailer["Encrypt"].(ref)
	if f.name(e["Filter"]) != "Standard" {
		return errPassword
	}
	v, r := integer(f.get(e["V"])), integer(f.get(e["R"]))
	size := integer(f.get(e["Length"]))
	switch {
	case v == 1 || size == 0 && v < 4:
		size = 40
	case v >= 4:
		size = 128
	}
	switch {
	case v < 4:
		c.streams, c.string = methodRC4, methodRC4
	default:
		c.streams, c.string = f.method(e, "StmF"), f.method(e, "StrF")
	}
	var id str
	if ids := f.array(f.trailer["ID"]); len(ids) > 0 {
		id = f.str(ids[0])
	}
	owner, user := f.str(e["O"]), f.str(e["U"])
	ok := false
	if r >= 5 {
		c.key, ok = keyOf256(user, f.str(e["UE"]), r)
	} else {
		meta, isBool := f.get(e["EncryptMetadata"]).(bool)
		c.key, ok = keyOf128(owner, user, id, uint32(int64(f.number(e["P"], 0))), r, min(max(size/8, 5), 16), !isBool || meta)
	}
	if !ok {
		return errPassword
	}
	clear(f.kept)
	clear(f.packed)
	f.crypt = c
	return nil
}

// method is that of a crypt filter (section 7.6.5).
func (f *file) method(e dict, key name) method {
	filter := f.dict(f.dict(e["CF"])[f.name(e[key])])
	switch f.name(filter["CFM"]) {
	case "V2":
		return methodRC4
	case "AESV2":
		return methodAES128
	case "AESV3":
		return methodAES256
	}
	return identity
}

// padding stands for the missing octets of a password (section 7.6.3.3, algorithm 2).
var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

// keyOf128 is the key for an empty password by revisions 2 to 4 (algorithms 2, 4 and 5).
func keyOf128(owner, user, id str, permissions uint32, r, size int, meta bool) ([]byte, bool) {
	h := md5.New()
	h.Write(padding)
	h.Write(owner[:min(len(owner), 32)])
	h.Write([]byte{byte(permissions), byte(permissions >> 8), byte(permissions >> 16), byte(permissions >> 24)})
	h.Write(id)
	if r >= 4 && !meta {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key := h.Sum(nil)
	if r >= 3 {
		for range 50 {
			sum := md5.Sum(key[:size])
			copy(key, sum[:])
		}
	}
	key = key[:size]
	if r < 3 {
		return key, bytes.Equal(rc4Of(key, padding), user[:min(len(user), 32)])
	}
	sum := md5.Sum(append(bytes.Clone(padding), id...))
	check := sum[:]
	for i := range 20 {
		mixed := bytes.Clone(key)
		for j := range mixed {
			mixed[j] ^= byte(i)
		}
		check = rc4Of(mixed, check)
	}
	return key, len(user) >= 16 && bytes.Equal(check, user[:16])
}

func rc4Of(key, in []byte) []byte {
	out := make([]byte, len(in))
	if c, err := rc4.NewCipher(key); err == nil {
		c.XORKeyStream(out, in)
	}
	return out
}

// keyOf256 is the key for an empty password by revisions 5 and 6 (ISO 32000-2 section
// 7.6.4.3.3, algorithm 2.A).
func keyOf256(user, wrapped str, r int) ([]byte, bool) {
	if len(user) < 48 || len(wrapped) < 32 || !bytes.Equal(hashOf(user[32:40], r), user[:32]) {
		return nil, false
	}
	block, err := aes.NewCipher(hashOf(user[40:48], r))
	if err != nil {
		return nil, false
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, wrapped[:32])
	return key, true
}

// hashOf is the hash of an empty password with a salt (algorithm 2.B).
func hashOf(salt []byte, r int) []byte {
	sum := sha256.Sum256(salt)
	k := sum[:]
	if r < 6 {
		return k
	}
	for i := 0; ; i++ {
		e := bytes.Repeat(k, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		rest := 0
		for _, c := range e[:16] {
			rest += int(c)
		}
		switch rest % 3 {
		case 0:
			s := sha256.Sum256(e)
			k = s[:]
		case 1:
			s := sha512.Sum384(e)
			k = s[:]
		case 2:
			s := sha512.Sum512(e)
			k = s[:]
		}
		if i >= 63 && int(e[len(e)-1]) <= i-32 {
			return k[:32]
		}
	}
}

func (c *crypt) plain(id ref) bool { return id == c.self }

// keyFor is the key of an object (ISO 32000-1 section 7.6.2, algorithm 1).
func (c *crypt) keyFor(id ref, m method) []byte {
	if m == methodAES256 {
		return c.key
	}
	b := append(bytes.Clone(c.key), byte(id.num), byte(id.num>>8), byte(id.num>>16), byte(id.gen), byte(id.gen>>8))
	if m == methodAES128 {
		b = append(b, "sAlT"...)
	}
	sum := md5.Sum(b)
	return sum[:min(len(c.key)+5, 16)]
}

// strings decrypts those of an object, in their places.
func (c *crypt) strings(id ref, v value) value {
	switch v := v.(type) {
	case str:
		return str(c.decrypt(c.keyFor(id, c.string), c.string, v))
	case array:
		for i := range v {
			v[i] = c.strings(id, v[i])
		}
	case dict:
		for k := range v {
			v[k] = c.strings(id, v[k])
		}
	case *stream:
		c.strings(id, v.dict)
	}
	return v
}

func (c *crypt) decrypt(key []byte, m method, in []byte) []byte {
	switch m {
	case methodRC4:
		return rc4Of(key, in)
	case methodAES128, methodAES256:
		out, _ := io.ReadAll(newCBC(bytes.NewReader(in), key))
		return out
	}
	return in
}

// stream decrypts the octets of a stream.
func (c *crypt) stream(f *file, s *stream, r io.Reader) io.Reader {
	filters, parms := f.filters(s)
	m := c.streams
	if len(filters) > 0 && filters[0] == "Crypt" && f.name(parms[0]["Name"]) != "StdCF" {
		m = identity
	}
	key := c.keyFor(s.ref, m)
	switch m {
	case methodRC4:
		if k, err := rc4.NewCipher(key); err == nil {
			return cipher.StreamReader{S: k, R: r}
		}
	case methodAES128, methodAES256:
		return newCBC(r, key)
	}
	return r
}
