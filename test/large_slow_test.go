package test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"
)

// largeText is a message above 256 KB.
func largeText(subject string) []byte {
	noise := make([]byte, 225_000)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(noise)
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: a@far.example\r\nSubject: %s\r\nMessage-ID: <%[1]s@far.example>\r\n\r\n", subject)
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(noise)), 76) {
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// beginLarge sends a large message but for its end.
func (b box) beginLarge(t testing.TB, client string) *session {
	t.Helper()
	c := b.srv.from(t, client)
	c.mustAsk(t, "MAIL FROM:<a@far.example>", 250)
	c.mustAsk(t, "RCPT TO:<"+b.address+">", 250)
	c.mustAsk(t, "DATA", 354)
	if err := c.write(largeText("slow")); err != nil {
		t.Fatal(err)
	}
	return c
}

// Clients that stand still in the middle of large messages keep nobody else's from coming in or going out.
func TestLargeSlow(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp")
	own := srv.mailbox(t, "own")
	held := func(n float64) {
		t.Helper()
		eventually(t, func() error {
			if got := srv.metric(t, "mailkin_large_messages"); got < n {
				return fmt.Errorf("%v large messages are on their way, want %v", got, n)
			}
			return nil
		})
	}
	file := base64.StdEncoding.EncodeToString(largeText("file"))
	bothWays := func(client string, within time.Duration) {
		t.Helper()
		began := time.Now()
		srv.do(t, request{method: http.MethodPost, path: "/v1/send", key: own.key,
			body: `{"to":"ann@far.example","subject":"x","text":"x",` +
				`"attachments":[{"filename":"f","content":"` + file + `"}]}`}, http.StatusOK, nil)
		r, err := srv.from(t, client).send(envelope{from: "a@far.example", to: []string{own.address}},
			largeText(client), byDATA)
		if err != nil || r.code != 250 {
			t.Errorf("mail of %s: %v %v", client, r, err)
		}
		if took := time.Since(began); took > within {
			t.Errorf("it took %v", took)
		}
	}
	for i := range 70 {
		own.beginLarge(t, fmt.Sprintf("2001:db8:1:1::%x", i+1)) // one network
	}
	held(8)
	bothWays("2001:db8:1:2::1", 5*time.Second)
	for i := range 60 {
		own.beginLarge(t, fmt.Sprintf("2001:db8:2:%x::1", i)) // many
	}
	held(48)
	bothWays("2001:db8:3:1::1", 30*time.Second)
	if n := srv.metric(t, "mailkin_large_messages_too_slow_total"); n == 0 {
		t.Error("nobody lost a place")
	}
}
