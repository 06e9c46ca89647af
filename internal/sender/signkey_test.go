package sender

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestKeyRoundTrip(t *testing.T) {
	for _, kind := range []string{RSA, Ed25519} {
		t.Run(kind, func(t *testing.T) {
			text, err := NewKey(kind)
			if err != nil {
				t.Fatal(err)
			}
			block, _ := pem.Decode(text)
			key, err := ParseKey(text)
			if err != nil || key.Kind() != kind {
				t.Fatalf("%v, %v", key, err)
			}
			bare, err := ParseKey(block.Bytes)
			if err != nil || Record(bare) != Record(key) {
				t.Errorf("DER: %v, %v", bare, err)
			}
			tags, ok := parseTags(Record(key))
			published, valid := parseKey(tags)
			if !ok || !valid || published.algorithm != kind || !strings.HasPrefix(Record(key),
				"v=DKIM1; k="+kind+"; p=") {
				t.Errorf("%s", Record(key))
			}
			var found crypto.PublicKey = published.ed25519
			if kind == RSA {
				found = *published.rsa
			}
			if fmt.Sprint(found) != strings.TrimPrefix(fmt.Sprint(key.secret.Public()), "&") {
				t.Errorf("another key is published: %v", found)
			}
			again, err := NewKey(kind)
			if err != nil || bytes.Equal(again, text) {
				t.Errorf("the next key is the same, %v", err)
			}
		})
	}
	if text, err := NewKey("dsa"); err == nil {
		t.Errorf("%s", text)
	}
}

func TestParseKey(t *testing.T) {
	short := rsaKey()
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8 := func(k any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(k)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	long := signingKeys()[RSA].secret.(*rsa.PrivateKey)
	pkcs1 := x509.MarshalPKCS1PrivateKey(long)
	for _, tt := range []struct {
		name string
		text []byte
		want string // kind, empty for an error
	}{
		{"PKCS #8", pkcs8(long), RSA},
		{"PKCS #1", pkcs1, RSA},
		{"PKCS #1 in PEM", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: pkcs1}), RSA},
		{"PEM after text", append([]byte("a comment\n"),
			pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8(edKey)})...), Ed25519},
		{"Ed25519", pkcs8(edKey), Ed25519},
		{"RSA too short", pkcs8(short), ""},
		{"a curve", pkcs8(curve), ""},
		{"nothing", nil, ""},
		{"text", []byte("secret"), ""},
		{"cut off", []byte("-----BEGIN PRIVATE KEY-----\nMII"), ""},
		{"public", []byte(Record(signingKeys()[RSA])), ""},
		{"long", make([]byte, maxKeyText+1), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			key, err := ParseKey(tt.text)
			got := ""
			if err == nil {
				got = key.Kind()
			}
			if got != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
			if err != nil && len(tt.text) > 0 && strings.Contains(err.Error(), string(tt.text)) {
				t.Errorf("the error tells the key: %v", err)
			}
		})
	}
}

func TestKeysAreNotPrinted(t *testing.T) {
	key := signingKeys()[RSA]
	d := key.secret.(*rsa.PrivateKey).D
	s := testSigner(t, RSA)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("signer", "key", key, "signer", s, "keys", s.keys)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%X"} {
		for _, what := range []any{key, s.keys[0], s, *s} {
			fmt.Fprintf(&log, verb+"\n", what)
		}
	}
	for _, secret := range []string{d.String(), d.Text(16), strings.ToUpper(d.Text(16))} {
		if strings.Contains(log.String(), secret) {
			t.Error("the key is printed")
		}
	}
	if got := fmt.Sprint(key, (*Key)(nil)); got != "rsa key no key" {
		t.Errorf("%s", got)
	}
}
