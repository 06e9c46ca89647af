package sender

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/dns"
)

// dkimKey is the record of a key (RFC 6376 3.6.1).
type dkimKey struct {
	algorithm string
	rsa       *rsa.PublicKey
	ed25519   ed25519.PublicKey
	testing   bool // t=y: a signature that fails is no signature
	exact     bool // t=s: i= must be of the domain itself
}

// Sizes of RSA keys. RFC 8301 3.2: shorter ones must not be believed, and up to 4096 bits must be. Longer than 8192
// takes time that nobody needs.
const (
	minRSA = 1024
	maxRSA = 8192
)

// keyOf finds the key in an answer. The verdict is empty where there is one that may be used for the signature.
func keyOf(a dns.Answer, s *signature) (key dkimKey, verdict string) {
	if a.Outcome == dns.Failed {
		return key, temperror
	}
	n := 0
	for _, txt := range a.Texts {
		tags, ok := parseTags(txt)
		if _, has := tagValue(tags, "p"); !ok || !has {
			continue // some other text: 6.1.2
		}
		if n++; n > 1 {
			return key, permerror // 3.6.2.2: not defined
		}
		if key, ok = parseKey(tags); !ok {
			verdict = permerror
		}
	}
	if n == 0 || key.algorithm != s.algorithm || key.exact && s.identity != s.domain {
		return key, permerror
	}
	return key, verdict
}

// parseKey reads a record that can be used for mail.
func parseKey(tags []tag) (k dkimKey, ok bool) {
	if v, has := tagValue(tags, "v"); has && (v != "DKIM1" || tags[0].name != "v") {
		return k, false
	}
	if h, has := tagValue(tags, "h"); has && !slices.Contains(splitList(h), "sha256") {
		return k, false
	}
	if s, has := tagValue(tags, "s"); has {
		if services := splitList(s); !slices.Contains(services, "*") && !slices.Contains(services, "email") {
			return k, false
		}
	}
	if t, has := tagValue(tags, "t"); has {
		flags := splitList(t)
		k.testing, k.exact = slices.Contains(flags, "y"), slices.Contains(flags, "s")
	}
	k.algorithm = "rsa"
	if v, has := tagValue(tags, "k"); has {
		k.algorithm = strings.ToLower(v)
	}
	p, _ := tagValue(tags, "p")
	der, ok := decode64(p)
	if !ok {
		return k, false // an empty one is a key that was withdrawn
	}
	switch k.algorithm {
	case "rsa":
		k.rsa = parseRSA(der)
	case "ed25519":
		if len(der) == ed25519.PublicKeySize { // RFC 8463 4.2
			k.ed25519 = der
		}
	}
	return k, k.rsa != nil || k.ed25519 != nil
}

// parseRSA reads a key with the name of its algorithm around it, as everybody publishes it, or without, as RFC 6376
// says.
func parseRSA(der []byte) *rsa.PublicKey {
	if len(der) > maxRSA/8+256 {
		return nil
	}
	var key *rsa.PublicKey
	if any, err := x509.ParsePKIXPublicKey(der); err == nil {
		key, _ = any.(*rsa.PublicKey)
	} else {
		key, _ = x509.ParsePKCS1PublicKey(der)
	}
	if key == nil || key.N.BitLen() < minRSA || key.N.BitLen() > maxRSA {
		return nil
	}
	return key
}

// verifies says whether the key made the signature of a hash.
func (k dkimKey) verifies(sum, sig []byte) bool {
	if k.ed25519 != nil {
		return ed25519.Verify(k.ed25519, sum, sig) // RFC 8463 3: the hash is what is signed
	}
	return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, sum, sig) == nil
}
