package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/config"
)

// certificate checks the certificate of the settings.
func (d *doctor) certificate(cfg config.Config) {
	const what = "certificate"
	switch cfg.TLS.Mode {
	case config.TLSOff:
		if strings.HasPrefix(cfg.PublicURL, "https://") || builtIn(cfg.Hostname) {
			d.ok(what, "HTTPS is left to what is before this server")
			return
		}
		d.warn(what, "the API is served without TLS", "Set tls to acme:you@example.com or files:cert.pem,key.pem, or "+
			"put a proxy before it and set public_url.")
	case config.TLSACME:
		if !d.answers { // else the one that it shows was checked
			d.obtained(cfg)
		}
	case config.TLSFiles:
		pair, err := tls.LoadX509KeyPair(cfg.TLS.CertFile, cfg.TLS.KeyFile)
		if err != nil {
			d.fail(what, err.Error(), "Give a certificate and its key: setting tls, as files:cert.pem,key.pem.")
			return
		}
		d.validity(pair.Leaf, cfg.Hostname)
	}
}

// obtained checks the certificate that an authority gave earlier, while the server does not run.
func (d *doctor) obtained(cfg config.Config) {
	const what = "certificate"
	if cfg.Database.URL != "" {
		d.warn(what, "it is in the database, and the server does not answer", "Run this while the server runs.")
		return
	}
	files, err := filepath.Glob(filepath.Join(cfg.DataDir, "certificates", "certificates", "*", cfg.Hostname,
		cfg.Hostname+".crt"))
	for _, file := range files {
		var text []byte
		var leaf *x509.Certificate
		if text, err = os.ReadFile(file); err != nil {
			break
		}
		block, _ := pem.Decode(text)
		if block == nil {
			continue
		}
		if leaf, err = x509.ParseCertificate(block.Bytes); err == nil {
			d.validity(leaf, cfg.Hostname)
			return
		}
	}
	found := "there is none from " + cfg.ACME.Directory + " yet"
	if err != nil {
		found += ": " + err.Error()
	}
	d.warn(what, found, "The server obtains it while it runs.")
}

// validity checks a certificate's name and time.
func (d *doctor) validity(leaf *x509.Certificate, host string) {
	const what = "certificate"
	left := leaf.NotAfter.Sub(d.now())
	until := leaf.NotAfter.UTC().Format(time.DateOnly)
	switch {
	case left < 0 || d.now().Before(leaf.NotBefore):
		d.fail(what, "it is valid from "+leaf.NotBefore.UTC().Format(time.DateOnly)+" to "+until, "Renew it.")
	case leaf.VerifyHostname(host) != nil:
		d.fail(what, "it is not for "+host, "Get one that has this name, or use the name that it has.")
	case left < 14*24*time.Hour:
		d.warn(what, "it ends on "+until, "Renew it.")
	default:
		d.ok(what, "for "+host+", until "+until)
	}
}
