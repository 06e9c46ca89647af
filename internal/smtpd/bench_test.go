package smtpd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// BenchmarkSession sends messages to a Backend that reads and forgets, over loopback, in as many sessions as there are
// processors. It shows what the protocol costs.
func BenchmarkSession(b *testing.B) {
	sizes := []struct {
		name string
		size int
	}{{"4KB", 4 << 10}, {"100KB", 100 << 10}, {"10MB", 10 << 20}}
	for _, row := range sizes {
		message := letterOf(row.size)
		bdat := fmt.Appendf(nil, "BDAT %d LAST\r\n%s", len(message), message)
		b.Run("DATA/"+row.name, func(b *testing.B) { benchSession(b, "DATA\r\n", message) })
		b.Run("BDAT/"+row.name, func(b *testing.B) { benchSession(b, "", bdat) })
	}
}

func benchSession(b *testing.B, data string, message []byte) {
	p := &post{receive: func(_ context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
		_, err := io.Copy(io.Discard, r)
		return make([]mailbox.Receipt, len(env.Recipients)), err
	}}
	_, addr := start(b, Config{}, p)
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Error(err)
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		expect := func(lines int) {
			for range lines {
				if line, err := in.ReadSlice('\n'); err != nil || line[0] > '3' {
					b.Errorf("%q, %v", line, err)
				}
			}
		}
		expect(1)
		_, _ = io.WriteString(conn, "EHLO bench\r\n")
		expect(7)
		for pb.Next() {
			_, _ = io.WriteString(conn, "MAIL FROM:<a@b.test>\r\nRCPT TO:<bob@mx.test>\r\n"+data)
			if expect(2); data != "" {
				expect(1)
			}
			_, _ = conn.Write(message)
			expect(1)
		}
	})
}
