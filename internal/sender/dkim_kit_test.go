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
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// rsaKey is made once, and short: making one takes a while.
var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, minRSA)
	if err != nil {
		panic(err)
	}
	return k
})

var edKey = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

// keyText is the p= of a key.
func keyText(t testing.TB, pub crypto.PublicKey) string {
	t.Helper()
	if ed, ok := pub.(ed25519.PublicKey); ok {
		return base64.StdEncoding.EncodeToString(ed)
	}
	der, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(der)
}

// keyZone has the keys of example.com and example.net under the selectors rsa and ed.
func keyZone(t testing.TB, lines ...string) *zone {
	t.Helper()
	z := newZone(t, lines...)
	for _, domain := range []string{"example.com", "example.net"} {
		z.text("rsa._domainkey."+domain, "v=DKIM1; p="+keyText(t, rsaKey().Public()))
		z.text("ed._domainkey."+domain, "v=DKIM1; k=ed25519; p="+keyText(t, edKey.Public()))
	}
	return z
}

const plainMail = "From: Ann <ann@example.com>\r\nTo: agent@example.org\r\nSubject:  two   blanks\r\n" +
	"Date: Tue, 3 Nov 2026 10:11:12 +0000\r\nX-Other: x\r\n\r\nHello  agent,\r\n\r\nbye \r\n\r\n\r\n"

// signed is a mail signed by another library.
func signed(t testing.TB, mail, canon string, o dkim.SignOptions) string {
	t.Helper()
	header, body, _ := strings.Cut(canon, "/")
	o.HeaderCanonicalization, o.BodyCanonicalization = dkim.Canonicalization(header), dkim.Canonicalization(body)
	if o.Domain == "" {
		o.Domain = "example.com"
	}
	if o.Signer == nil {
		o.Signer, o.Selector = rsaKey(), "rsa"
	}
	if o.HeaderKeys == nil {
		o.HeaderKeys = []string{"From", "To", "Subject", "Date"}
	}
	var b bytes.Buffer
	if err := dkim.Sign(&b, strings.NewReader(mail), &o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// signedWith is a mail with a signature of any tags; b= and bh= are added, and of the usual ones those that are not
// given.
func signedWith(t testing.TB, mail string, tags ...string) string {
	t.Helper()
	list := strings.Join(tags, "; ")
	for _, usual := range []string{"v=1", "a=rsa-sha256", "c=relaxed/relaxed", "d=example.com", "s=rsa",
		"h=from:to:subject:date"} {
		if name, _, _ := strings.Cut(usual, "="); !strings.Contains("; "+list, "; "+name+"=") {
			list = usual + "; " + list
		}
	}
	body := bodyHash(t, mail[strings.Index(mail, "\r\n\r\n")+4:], tags)
	field := fmt.Sprintf("DKIM-Signature: %s; bh=%s; b=", strings.TrimSuffix(list, "; "), body)
	m := field + "\r\n" + mail
	h, err := readHead(strings.NewReader(m), int64(len(m)))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	h.hashFields(hash, []string{"from", "to", "subject", "date"}, 0, true)
	hash.Write(canonField(nil, []byte(field), true))
	sig, err := rsaKey().Sign(rand.Reader, hash.Sum(nil), crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	return field + base64.StdEncoding.EncodeToString(sig) + "\r\n" + mail
}

// bodyHash is that of the relaxed form, cut where l= says.
func bodyHash(t testing.TB, body string, tags []string) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n \t")
		for strings.Contains(line, "  ") {
			line = strings.ReplaceAll(line, "  ", " ")
		}
		lines = append(lines, line)
	}
	canon := strings.TrimRight(strings.Join(lines, "\r\n"), "\r\n") + "\r\n"
	for _, tag := range tags {
		var n int
		if c, _ := fmt.Sscanf(tag, "l=%d", &n); c == 1 && n >= 0 {
			canon = canon[:min(n, len(canon))]
		}
	}
	sum := sha256.Sum256([]byte(canon))
	return base64.StdEncoding.EncodeToString(sum[:])
}
