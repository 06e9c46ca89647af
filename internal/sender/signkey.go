package sender

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
)

// The kinds of keys that sign, as k= names them.
const (
	RSA     = "rsa"
	Ed25519 = "ed25519"
)

// Sizes of RSA keys that sign. RFC 8301 3.2: below 2048 bits they should not be used, and above 4096 not everybody
// reads them.
const (
	newRSA     = 2048
	minSignRSA = 2048
	maxSignRSA = 4096
)

// maxKeyText bounds the text of a private key. One of 4096 bits has 3300 bytes.
const maxKeyText = 16 << 10

// Key is a private key that signs mail. It prints as its kind, whatever the verb.
type Key struct {
	kind   string
	secret crypto.Signer
}

// Kind is [RSA] or [Ed25519].
func (k *Key) Kind() string { return k.kind }

// Format keeps the key out of everything that is printed.
func (k *Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(k.name())) }

// LogValue keeps the key out of logs.
func (k *Key) LogValue() slog.Value { return slog.StringValue(k.name()) }

func (k *Key) name() string {
	if k == nil {
		return "no key"
	}
	return k.kind + " key"
}

// NewKey makes a key of a kind and returns it as PEM of PKCS #8.
func NewKey(kind string) ([]byte, error) {
	var secret crypto.PrivateKey
	var err error
	switch kind {
	case RSA:
		secret, err = rsa.GenerateKey(rand.Reader, newRSA)
	case Ed25519:
		_, secret, err = ed25519.GenerateKey(rand.Reader)
	default:
		return nil, fmt.Errorf("make a signing key: %q is no kind of key", kind)
	}
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// ParseKey reads a private key: PEM or DER of PKCS #8, or of PKCS #1 for RSA. Errors say nothing of what is in it.
func ParseKey(text []byte) (*Key, error) {
	if len(text) > maxKeyText {
		return nil, errors.New("read a signing key: it is too long")
	}
	der := text
	if bytes.Contains(text, []byte("-----BEGIN")) {
		block, _ := pem.Decode(text)
		if block == nil {
			return nil, errors.New("read a signing key: it is no PEM")
		}
		der = block.Bytes
	}
	secret, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		if secret, err = x509.ParsePKCS1PrivateKey(der); err != nil {
			return nil, errors.New("read a signing key: it is neither PKCS #8 nor PKCS #1")
		}
	}
	switch secret := secret.(type) {
	case ed25519.PrivateKey:
		return &Key{Ed25519, secret}, nil
	case *rsa.PrivateKey:
		if bits := secret.N.BitLen(); bits < minSignRSA || bits > maxSignRSA {
			return nil, fmt.Errorf("read a signing key: RSA of %d bits, not %d to %d", bits, minSignRSA, maxSignRSA)
		}
		return &Key{RSA, secret}, nil
	}
	return nil, errors.New("read a signing key: it is neither RSA nor Ed25519")
}

// Record is the text that is published for a key, at <selector>._domainkey.<domain>.
func Record(k *Key) string {
	return "v=DKIM1; k=" + k.kind + "; p=" + base64.StdEncoding.EncodeToString(k.public())
}

// public is the p= of the key. RFC 8463 4.2: that of Ed25519 has nothing around it.
func (k *Key) public() []byte {
	if ed, ok := k.secret.Public().(ed25519.PublicKey); ok {
		return ed
	}
	der, err := x509.MarshalPKIXPublicKey(k.secret.Public())
	if err != nil {
		return nil // not for an RSA key
	}
	return der
}

// sign signs what was hashed with SHA-256. RFC 8463 3: Ed25519 signs the hash as if it were the message.
func (k *Key) sign(sum [sha256.Size]byte) ([]byte, error) {
	if k.kind == Ed25519 {
		return k.secret.Sign(nil, sum[:], crypto.Hash(0))
	}
	return k.secret.Sign(rand.Reader, sum[:], crypto.SHA256)
}
