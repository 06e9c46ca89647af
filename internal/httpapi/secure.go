package httpapi

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
)

// Secure lets a server speak TLS on the listener that it gives, with errors in JSON as JSONErrors has them. net/http is
// not shown that the connections are TLS, as it writes to a *tls.Conn alone: HTTP/2 comes to it as what it calls
// unencrypted, and Request.TLS is set here. A slow handshake holds up nobody: it is done by the goroutine that reads
// first.
func Secure(srv *http.Server, l net.Listener, cfg *tls.Config) net.Listener {
	if len(cfg.NextProtos) == 0 {
		cfg = cfg.Clone()
		cfg.NextProtos = webProtocols
	}
	srv.Protocols = new(http.Protocols)
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	srv.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, secureKey{}, c)
	}
	h := srv.Handler
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.TLS = r.Context().Value(secureKey{}).(*secureConn).state
		h.ServeHTTP(w, r)
	})
	return &secureListener{l, srv, cfg}
}

var webProtocols = []string{"h2", "http/1.1"}

type secureKey struct{}

type secureListener struct {
	net.Listener
	srv *http.Server
	cfg *tls.Config
}

func (l *secureListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	secure := tls.Server(c, l.cfg)
	return &secureConn{unparsedConn: unparsedConn{secure}, tls: secure, srv: l.srv}, nil
}

type secureConn struct {
	unparsedConn
	tls   *tls.Conn
	srv   *http.Server
	begun bool
	err   error // of the handshake
	state *tls.ConnectionState
}

// Read shakes hands first, within the time that the server gives for headers.
func (c *secureConn) Read(p []byte) (int, error) {
	if !c.begun {
		c.begun, c.err = true, c.begin()
	}
	if c.err != nil {
		return 0, c.err
	}
	return c.tls.Read(p)
}

func (c *secureConn) begin() error {
	err := c.tls.Handshake()
	if plain, ok := errors.AsType[tls.RecordHeaderError](err); ok && plain.Conn != nil &&
		looksLikeHTTP(plain.RecordHeader) {
		answer, _ := unparsedAnswer(http.StatusBadRequest, "This port speaks HTTPS: use an address that begins with "+
			"https://.")
		_, _ = plain.Conn.Write(answer)
		err = errors.New("client sent an HTTP request to an HTTPS server")
	}
	if err != nil {
		c.srv.ErrorLog.Printf("http: TLS handshake error from %s: %v", c.RemoteAddr(), err)
		return io.EOF // which asks for no answer
	}
	state := c.tls.ConnectionState()
	if p := state.NegotiatedProtocol; p != "" && !slices.Contains(webProtocols, p) {
		return io.EOF // an authority wanted no more than the certificate
	}
	c.state = &state
	return nil
}

func looksLikeHTTP(record [5]byte) bool {
	begins := []string{"GET /", "HEAD ", "POST ", "PUT /", "PATCH", "DELET", "OPTIO"}
	return slices.Contains(begins, string(record[:]))
}
