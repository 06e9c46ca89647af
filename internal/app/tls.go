package app

import (
	"context"
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

	"github.com/mailkin/mailkin/internal/acme"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/postgres"
)

// certificates are what the deployment shows of itself: a certificate in two files, and with ACME better ones.
type certificates struct {
	files  *certificate
	acme   *acme.Manager // nil: there are only the files
	shared acme.Storage  // where all nodes find those of an authority; nil: there is one node
}

// config is for a server; web also lets the authority ask within a handshake.
func (c certificates) config(web bool) *tls.Config {
	cfg := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.files.load() },
	}
	if c.acme != nil {
		cfg.GetCertificate = c.acme.Certificate
		if web {
			cfg.NextProtos = []string{"h2", "http/1.1", acme.Protocol}
		}
	}
	return cfg
}

// expiries tells when the certificates end that are shown, by name.
func (c certificates) expiries() map[string]time.Time {
	if c.acme != nil {
		return c.acme.Expiries()
	}
	cert, err := c.files.load()
	if err != nil || cert.Leaf == nil {
		return nil
	}
	ends := make(map[string]time.Time)
	for _, name := range cert.Leaf.DNSNames {
		ends[name] = cert.Leaf.NotAfter
	}
	return ends
}

// certificates finds what the settings ask for. With ACME the self-made certificate is there until a better one is.
func (a *App) certificates() (certificates, error) {
	files, err := a.certificate()
	if err != nil || a.cfg.TLS.Mode != config.TLSACME {
		return certificates{files: files}, err
	}
	out := certificates{files: files}
	storage := acme.Folder(filepath.Join(a.cfg.DataDir, datadir.Certificates))
	if db, ok := a.storage.db.(*postgres.DB); ok {
		storage = acme.Shared(postgres.NewCerts(db.Pool()), a.rootSecrets, a.log)
		out.shared = storage
	}
	out.acme = acme.New(acme.Options{Names: a.cfg.ACMENames(), Email: a.cfg.TLS.Email, Directory: a.cfg.ACME.Directory,
		Storage: storage, Fallback: files.load, Log: a.log})
	a.closers = append(a.closers, out.acme.Close)
	return out, nil
}

// listenACME answers the authority over plain HTTP.
func (a *App) listenACME() error {
	if a.certs.acme == nil {
		return nil
	}
	return a.listenHTTP("acme", a.cfg.ACME.HTTPAddr, &a.addrs.ACME, a.certs.acme.Handler(), false)
}

// obtain has certificates until ctx ends.
func (a *App) obtain(ctx context.Context) {
	if a.certs.acme != nil {
		a.report("obtain certificates", a.certs.acme.Run(ctx, acme.Doors{TLS: a.addrs.HTTP, HTTP: a.addrs.ACME}))
	}
}

// certificate is a certificate in two files. It is read again when they change, so that a renewal needs no restart.
type certificate struct {
	certFile, keyFile string

	mu      sync.Mutex
	missing func() error // makes the two files before they are first read; nil: they are there
	current *tls.Certificate
	mtime   time.Time
	checked time.Time
}

// certificate finds the deployment's certificate: that of the settings, or one of our own making in the data folder.
func (a *App) certificate() (*certificate, error) {
	if a.cfg.TLS.Mode == config.TLSFiles {
		c := &certificate{certFile: a.cfg.TLS.CertFile, keyFile: a.cfg.TLS.KeyFile}
		if _, err := c.load(); err != nil {
			return nil, &config.SettingError{Key: "tls", Err: fmt.Errorf("the certificate cannot be used: %w", err)}
		}
		return c, nil
	}
	c := &certificate{certFile: filepath.Join(a.cfg.DataDir, "tls-cert.pem"), keyFile: filepath.Join(a.cfg.DataDir,
		"tls-key.pem")}
	_, err := c.load()
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("read the self-made certificate: %w", err)
	}
	if !errors.Is(err, fs.ErrNotExist) || c.exists() { // nobody trusts it by name, so another one is as good
		a.log.Warn("the self-made certificate cannot be used: a new one is made", "cert", c.certFile, "key", c.keyFile,
			"error", err)
	}
	c.missing = func() error { return selfSign(c, a.cfg.Hostname) } // a start need not wait for it
	return c, nil
}

// exists tells whether one of the two files is there.
func (c *certificate) exists() bool {
	_, certErr := os.Stat(c.certFile)
	_, keyErr := os.Stat(c.keyFile)
	return certErr == nil || keyErr == nil
}

// load returns the certificate, looking for a new one once a minute. A new one that cannot be read leaves the old in
// use.
func (c *certificate) load() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && time.Since(c.checked) < time.Minute {
		return c.current, nil
	}
	if c.missing != nil {
		if err := c.missing(); err != nil {
			return nil, fmt.Errorf("make a certificate: %w", err)
		}
		c.missing = nil
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

// reload reads the files again, now.
func (c *certificate) reload() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.missing != nil || c.current == nil { // they are read when they are first needed
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.current, c.checked = &pair, time.Now()
	if info, err := os.Stat(c.certFile); err == nil {
		c.mtime = info.ModTime()
	}
	return nil
}

// selfSign makes a certificate for STARTTLS: other mail servers encrypt to it without verifying it (RFC 7435).
func selfSign(c *certificate, hostname string) error {
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
	if err := datadir.WriteFile(c.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY",
		Bytes: der})); err != nil {
		return err
	}
	return datadir.WriteFile(c.certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
}
