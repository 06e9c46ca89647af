package pebbletest

import (
	"crypto/x509"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/mailkin/mailkin/internal/certtest"
)

// forwarder passes connections on to one of several addresses in turn. Until it is told where, they wait.
type forwarder struct {
	listener net.Listener
	to       atomic.Pointer[[]string]
	told     chan struct{} // closed when it is told for the first time, or never will be
	tell     sync.Once
	turn     atomic.Int64
	conns    sync.WaitGroup
}

func (f *forwarder) set(to []string) {
	f.to.Store(&to)
	f.tell.Do(func() { close(f.told) })
}

func forward(t testing.TB) *forwarder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &forwarder{listener: l, told: make(chan struct{})}
	f.conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			f.conns.Go(func() { f.pass(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		f.set(nil)
		f.conns.Wait()
	})
	return f
}

func (f *forwarder) port() int { return f.listener.Addr().(*net.TCPAddr).Port }

func (f *forwarder) pass(c net.Conn) {
	defer c.Close()
	<-f.told
	to := *f.to.Load()
	if len(to) == 0 {
		return
	}
	out, err := net.DialTimeout("tcp", to[int(f.turn.Add(1))%len(to)], patience)
	if err != nil {
		return
	}
	defer out.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	_ = out.SetDeadline(time.Now().Add(patience))
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, out)
		_ = c.Close()
	})
	_, _ = io.Copy(out, c)
	_ = out.(*net.TCPConn).CloseWrite()
	back.Wait()
}

// names is a DNS server in which every name is this machine.
func names(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answer := dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		m := new(dns.Msg)
		m.SetReply(q)
		if q.Question[0].Qtype == dns.TypeA {
			m.Answer = append(m.Answer, &dns.A{A: net.IPv4(127, 0, 0, 1),
				Hdr: dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 1}})
		}
		_ = w.WriteMsg(m)
	})
	srv := &dns.Server{Listener: l, Handler: answer}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = srv.ActivateAndServe()
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-served
	})
	return l.Addr().String()
}

// certify makes the certificate of Pebble's own HTTPS.
func certify(t testing.TB, certFile, keyFile string) *x509.Certificate {
	t.Helper()
	made := certtest.Issue(t, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}, nil)
	certtest.Write(t, made, certFile, keyFile)
	return made.Leaf
}
