package sender

import (
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testLog(t testing.TB) *slog.Logger { return slog.New(slog.NewTextHandler(logWriter{t}, nil)) }

type logWriter struct{ t testing.TB }

func (w logWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", strings.TrimSpace(string(b)))
	return len(b), nil
}

// clientAddr is an address that policies in these tests know.
var clientAddr = netip.MustParseAddr("192.0.2.1")

// mailOf is a mail with these bytes.
func mailOf(raw, envelopeFrom, from string) Mail {
	return Mail{
		Remote: clientAddr, Helo: "mail.example.org", EnvelopeFrom: envelopeFrom, From: from,
		Raw: strings.NewReader(raw), Size: int64(len(raw)),
	}
}
