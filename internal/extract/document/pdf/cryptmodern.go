package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
)

// modernKey is algorithm 2.A for an empty password; nil where the document has one.
func (f *file) modernKey(d dict, revision int) []byte {
	user, _ := f.resolve(d["U"]).(text)
	sealed, _ := f.resolve(d["UE"]).(text)
	if len(user) < 48 || len(sealed) < 32 {
		return nil
	}
	check, salt := []byte(user[32:40]), []byte(user[40:48])
	if !bytes.Equal(saltedHash(check, revision), []byte(user[:32])) {
		return nil
	}
	c, err := aes.NewCipher(saltedHash(salt, revision))
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(c, make([]byte, aes.BlockSize)).CryptBlocks(key, []byte(sealed[:32]))
	return key
}

// maxRounds bounds the rounds of the hash: each goes on with a probability that soon falls.
const maxRounds = 1000

// saltedHash is algorithm 2.B for an empty password.
func saltedHash(salt []byte, revision int) []byte {
	sum := sha256.Sum256(salt)
	k := sum[:]
	if revision == 5 {
		return k
	}
	for round := 1; round <= maxRounds; round++ {
		e := bytes.Repeat(k, 64)
		c, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(c, k[16:32]).CryptBlocks(e, e)
		k = hashBy(e)
		if round >= 64 && int(e[len(e)-1]) <= round-32 {
			break
		}
	}
	return k[:32]
}

// hashBy chooses the hash by the first sixteen bytes, as a number, modulo three.
func hashBy(e []byte) []byte {
	sum := 0
	for _, c := range e[:16] {
		sum += int(c)
	}
	switch sum % 3 {
	case 0:
		h := sha256.Sum256(e)
		return h[:]
	case 1:
		h := sha512.Sum384(e)
		return h[:]
	default:
		h := sha512.Sum512(e)
		return h[:]
	}
}
