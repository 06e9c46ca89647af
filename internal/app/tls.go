package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/config"
)

// certificate is a certificate in two files. It is read again when they change, so that a renewal needs no restart.
type certificate struct {
	certFile, keyFile string

	mu      sync.Mutex
	current *tls.Certificate
	mtime   time.Time
	checked time.Time
}

// certificate finds the deployment's certificate: that of the settings, or one of our own making in the data folder.
func (a *App) certificate() (*certificate, error) {
	c := &certificate{certFile: a.cfg.TLS.CertFile, keyFile: a.cfg.TLS.KeyFile}
	if a.cfg.TLS.Mode == config.TLSOff {
		c.certFile = filepath.Join(a.cfg.DataDir, "tls-cert.pem")
		c.keyFile = filepath.Join(a.cfg.DataDir, "tls-key.pem")
		if err := selfSign(c, a.cfg.Hostname); err != nil {
			return nil, fmt.Errorf("make a certificate: %w", err)
		}
	}
	_, err := c.load()
	if err != nil {
		return nil, fmt.Errorf("setting tls: the certificate cannot be used: %w", err)
	}
	return c, nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.load() },
	}
}

// load gives the certificate, looking for a new one once a minute. A new one that cannot be read leaves the old in use.
func (c *certificate) load() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && time.Since(c.checked) < time.Minute {
		return c.current, nil
	}
	c.checked = time.Now()
	info, err := os.Stat(c.certFile)
	if err == nil && c.current != nil && info.ModTime().Equal(c.mtime) {
		return c.current, nil
	}
	var pair tls.Certificate
	if err == nil {
		pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	if err != nil {
		if c.current != nil {
			return c.current, nil
		}
		return nil, err
	}
	c.current, c.mtime = &pair, info.ModTime()
	return c.current, nil
}

// selfSign makes a certificate for STARTTLS where there is none: other mail servers encrypt to it without verifying it
// (RFC 7435).
func selfSign(c *certificate, hostname string) error {
	if _, err := os.Stat(c.certFile); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: hostname}, DNSNames: []string{hostname},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(20, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	// The key first: a certificate without its key would never be made again.
	if err := writeFile(c.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil {
		return err
	}
	return writeFile(c.certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
}
