package transport

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

// benchMail is a message of about that size.
func benchMail(size int) []byte {
	line := "A line of a text that people write - it has words, dashes and a code 123456.\r\n"
	return []byte("Subject: hi\r\n\r\n" + strings.Repeat(line, size/len(line)))
}

// fastServer takes everything, over and over, and reads no more closely than it must.
func fastServer(b *testing.B, config *tls.Config) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		r := bufio.NewReaderSize(conn, 64<<10)
		_, _ = io.WriteString(conn, "220 hi\r\n")
		for body := false; ; {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			switch {
			case body:
				if body = string(line) != ".\r\n"; !body {
					_, _ = io.WriteString(conn, "250 2.0.0 queued\r\n")
				}
			case bytes.HasPrefix(line, []byte("EHLO")):
				_, _ = io.WriteString(conn, "250-mx\r\n250-STARTTLS\r\n250-PIPELINING\r\n250 SIZE 100000000\r\n")
			case bytes.HasPrefix(line, []byte("STARTTLS")):
				_, _ = io.WriteString(conn, "220 go\r\n")
				conn = tls.Server(conn, config)
				r.Reset(conn)
			case bytes.HasPrefix(line, []byte("MAIL")) && r.Buffered() > 0:
				_, _ = r.ReadSlice('\n')
				_, _ = io.WriteString(conn, "250 2.1.0 fine\r\n250 2.1.5 fine\r\n")
			case bytes.HasPrefix(line, []byte("DATA")):
				body = true
				_, _ = io.WriteString(conn, "354 go\r\n")
			default:
				_, _ = io.WriteString(conn, "250 2.0.0 fine\r\n")
			}
		}
	}()
	b.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

func BenchmarkSend(b *testing.B) {
	config := newAuthority(b).server(b, "mx.test")
	for _, bb := range []struct {
		name   string
		size   int
		demand demand
	}{
		{"4KB", 4 << 10, demand{off: true}},
		{"4KB TLS", 4 << 10, demand{required: true}},
		{"10MB", 10 << 20, demand{off: true}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := newClient("us.example", nil, nil)
			s, p := c.open(b.Context(), target{host: "mx.test", address: fastServer(b, config), demand: bb.demand})
			if p != nil {
				b.Fatalf("%+v", p)
			}
			defer s.Close()
			raw := benchMail(bb.size)
			body := bytes.NewReader(raw)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				body.Reset(raw)
				if r := s.Send(b.Context(), Mail{From: "ann@example.com", To: "bob@example.net", Size: int64(len(raw)),
					Body: body}); r.Outcome != Delivered {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}

func BenchmarkDots(b *testing.B) {
	raw := benchMail(1 << 20)
	w := bufio.NewWriterSize(io.Discard, sendBuffer)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		d := dotWriter{w: w}
		_, _ = d.Write(raw)
	}
}

func BenchmarkFind(b *testing.B) {
	r := routesOf(b, dnstest.New(b, "a.example. MX 10 b.example.", "b.example. A 192.0.2.1"))
	b.ReportAllocs()
	for b.Loop() {
		if _, none := r.Find(b.Context(), "a.example"); none != nil {
			b.Fatal(none)
		}
	}
}
