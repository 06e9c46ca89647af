package app

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A renewed certificate is taken from its files within a minute; one that does not fit its key leaves the old one in
// use.
func TestCertificateIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		c := &certificate{certFile: filepath.Join(dir, "cert.pem"), keyFile: filepath.Join(dir, "key.pem")}
		makePair(t, c)
		first := shown(t, c)

		next := &certificate{certFile: filepath.Join(dir, "next-cert.pem"), keyFile: filepath.Join(dir, "next-key.pem")}
		makePair(t, next)
		replace(t, next.certFile, c.certFile) // and not yet the key
		if !bytes.Equal(shown(t, c), first) {
			t.Error("the files are looked at more often than once a minute")
		}
		time.Sleep(time.Minute)
		if !bytes.Equal(shown(t, c), first) {
			t.Error("a certificate without its key is used")
		}
		replace(t, next.keyFile, c.keyFile)
		time.Sleep(time.Minute)
		second := shown(t, c)
		if bytes.Equal(second, first) {
			t.Error("the new certificate is not used")
		}
		if err := os.Remove(c.certFile); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if !bytes.Equal(shown(t, c), second) {
			t.Error("a certificate that is gone is no longer used")
		}
	})
}

func makePair(t *testing.T, c *certificate) {
	t.Helper()
	if err := selfSign(c, "mx.example"); err != nil {
		t.Fatal(err)
	}
}

// replace puts a file in the place of another, with a time of its own.
func replace(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(to, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// shown is the certificate that a client sees.
func shown(t *testing.T, c *certificate) []byte {
	t.Helper()
	cert, err := certificates{files: c}.config(true).GetCertificate(&tls.ClientHelloInfo{})
	if err != nil {
		t.Fatal(err)
	}
	return cert.Certificate[0]
}

// A self-made certificate whose key is gone, or is another's, is made again, and the log says so. One that is whole
// stays.
func TestSelfMadeAgain(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"no key":         func(dir string) error { return os.Remove(filepath.Join(dir, "tls-key.pem")) },
		"no certificate": func(dir string) error { return os.Remove(filepath.Join(dir, "tls-cert.pem")) },
		"garbage": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "tls-key.pem"), []byte("x"),
				0o600)
		},
		"nothing": func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			a := &App{log: slog.New(slog.NewTextHandler(&log, nil))}
			a.cfg.DataDir, a.cfg.Hostname = t.TempDir(), "mx.example.com"
			made := func() []byte {
				c, err := a.certificate()
				if err != nil {
					t.Fatal(err)
				}
				return shown(t, c)
			}
			first := made()
			if log.Len() > 0 {
				t.Errorf("at the first start: %s", &log)
			}
			if err := damage(a.cfg.DataDir); err != nil {
				t.Fatal(err)
			}
			again, want := made(), name != "nothing"
			if bytes.Equal(first, again) == want || strings.Contains(log.String(), "a new one is made") != want {
				t.Errorf("a new one: %v; the log:\n%s", !bytes.Equal(first, again), &log)
			}
		})
	}
}
