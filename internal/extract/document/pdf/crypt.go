package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"slices"
)

// cipherKey decrypts a document that is encrypted without a password (ISO 32000 7.6).
type cipherKey struct {
	key     []byte
	strings method
	streams method
}

// method is how strings or streams are encrypted.
type method uint8

const (
	methodNone method = iota
	methodRC4
	methodAES // with a key for each object
	methodAES256
)

// padding stands for the missing part of a password.
const padding = "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a"

// unlock finds the key that an empty password gives.
func (f *file) unlock() (*cipherKey, error) {
	d := f.dict(f.encrypt)
	if f.name(d["Filter"]) != "Standard" {
		return nil, ErrPassword
	}
	version, revision := integer(f.resolve(d["V"])), integer(f.resolve(d["R"]))
	k := &cipherKey{strings: methodRC4, streams: methodRC4}
	if version >= 4 {
		filters := f.dict(d["CF"])
		k.streams = f.method(filters, d["StmF"])
		k.strings = f.method(filters, d["StrF"])
	}
	switch {
	case version == 5 && (revision == 5 || revision == 6):
		k.key = f.modernKey(d, revision)
	case version >= 1 && version <= 4 && revision >= 2 && revision <= 4:
		k.key = f.oldKey(d, revision)
	}
	if k.key == nil {
		return nil, ErrPassword
	}
	return k, nil
}

func (f *file) method(filters dict, o object) method {
	switch f.name(f.dict(filters[f.name(o)])["CFM"]) {
	case "V2":
		return methodRC4
	case "AESV2":
		return methodAES
	case "AESV3":
		return methodAES256
	}
	return methodNone
}

// oldKey is algorithm 2, checked by algorithms 4 and 5; nil where the document has a password.
func (f *file) oldKey(d dict, revision int) []byte {
	owner, _ := f.resolve(d["O"]).(text)
	user, _ := f.resolve(d["U"]).(text)
	bits := integer(f.resolve(d["Length"]))
	if revision == 2 || bits < 40 || bits > 128 {
		bits = 40
	}
	if f.name(d["StmF"]) != "" {
		bits = 128
	}
	if len(owner) < 32 || len(user) < 16 {
		return nil
	}
	h := md5.New()
	h.Write([]byte(padding + string(owner[:32])))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(int64(number(f.resolve(d["P"]))))))
	h.Write([]byte(f.id))
	if f.resolve(d["EncryptMetadata"]) == false && revision >= 4 {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key := h.Sum(nil)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:bits/8])
			key = sum[:]
		}
	}
	key = key[:bits/8]
	if want := f.userEntry(key, revision); !bytes.HasPrefix([]byte(user), want) {
		return nil
	}
	return key
}

// userEntry is what the document has to say of a password that is empty.
func (f *file) userEntry(key []byte, revision int) []byte {
	if revision == 2 {
		return rc4With(key, []byte(padding))
	}
	sum := md5.Sum([]byte(padding + string(f.id)))
	out := sum[:]
	for i := range 20 {
		turn := slices.Clone(key)
		for j := range turn {
			turn[j] ^= byte(i)
		}
		out = rc4With(turn, out)
	}
	return out
}

func rc4With(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}

// decryptStrings decrypts every string of an object.
func (k *cipherKey) decryptStrings(o object, num int) object {
	switch o := o.(type) {
	case text:
		return text(k.decrypt([]byte(o), num, k.strings))
	case array:
		for i := range o {
			o[i] = k.decryptStrings(o[i], num)
		}
	case dict:
		for key := range o {
			o[key] = k.decryptStrings(o[key], num)
		}
	}
	return o
}

// decryptStream returns a copy of the bytes of a stream.
func (k *cipherKey) decryptStream(s *stream) []byte {
	if s.dict["Type"] == name("XRef") {
		return s.raw
	}
	return k.decrypt(s.raw, s.num, k.streams)
}

// decrypt uses the key of an object. QUIRK: its generation is taken to be 0, as it is in what is not edited by hand.
func (k *cipherKey) decrypt(b []byte, num int, m method) []byte {
	switch m {
	case methodRC4:
		return rc4With(k.objectKey(num, ""), b)
	case methodAES:
		return decryptCBC(k.objectKey(num, "sAlT"), b)
	case methodAES256:
		return decryptCBC(k.key, b)
	}
	return b
}

func (k *cipherKey) objectKey(num int, salt string) []byte {
	in := append(slices.Clone(k.key), byte(num), byte(num>>8), byte(num>>16), 0, 0)
	sum := md5.Sum(append(in, salt...))
	return sum[:min(len(k.key)+5, 16)]
}

// decryptCBC undoes AES in blocks that depend on each other; the first is the beginning value.
func decryptCBC(key, b []byte) []byte {
	c, err := aes.NewCipher(key)
	if err != nil || len(b) < 2*aes.BlockSize {
		return nil
	}
	body := b[aes.BlockSize : len(b)-len(b)%aes.BlockSize]
	out := make([]byte, len(body))
	cipher.NewCBCDecrypter(c, b[:aes.BlockSize]).CryptBlocks(out, body)
	if pad := int(out[len(out)-1]); pad >= 1 && pad <= aes.BlockSize {
		out = out[:len(out)-pad]
	}
	return out
}
