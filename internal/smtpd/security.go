package smtpd

import (
	"crypto/tls"
	"strings"
)

// security names what the connection is secured with, "TLS1.3 TLS_AES_128_GCM_SHA256"; empty: it is not.
func (w *wire) security() string {
	c, ok := w.conn.(*tls.Conn)
	if !ok {
		return ""
	}
	state := c.ConnectionState()
	return strings.ReplaceAll(tls.VersionName(state.Version), " ", "") + " " + tls.CipherSuiteName(state.CipherSuite)
}
