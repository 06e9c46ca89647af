package smtpd

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// trickle sends s again and again until the connection ends.
func (c *client) trickle(s string, every time.Duration) {
	for {
		time.Sleep(every)
		if _, err := io.WriteString(c.conn, s); err != nil {
			return
		}
	}
}

// Time is a bubble's here: an hour costs nothing and is exact.
func TestTimeouts(t *testing.T) {
	failing := func(context.Context, mailbox.Envelope, io.Reader) ([]mailbox.Receipt, error) {
		return nil, mailbox.Errorf(mailbox.DiskFull, "disk_full", "No space.")
	}
	rows := []struct {
		name    string
		receive func(context.Context, mailbox.Envelope, io.Reader) ([]mailbox.Receipt, error)
		before  string
		trickle string // sent every minute
		after   string
		takes   time.Duration
		cut     bool
	}{
		{name: "no command", before: greeted, after: "S: 421 4.4.2\nX", takes: 5 * time.Minute},
		{name: "half a command", before: greeted + `R: "NO"`, after: "S: 421 4.4.2\nX", takes: 5 * time.Minute},
		{name: "a command byte by byte", before: greeted, trickle: "x", after: "S: 421 4.4.2\nX", takes: time.Hour},
		{name: "no data", before: enveloped + "C: DATA\nS: 354\nC: half", after: "S: 421 4.4.2\nX",
			takes: 5 * time.Minute, cut: true},
		{name: "data byte by byte", before: enveloped + "C: DATA\nS: 354", trickle: "x", after: "S: 421 4.4.2\nX",
			takes: time.Hour, cut: true},
		{name: "no chunk", before: enveloped + "C: BDAT 10", after: "S: 421 4.4.2\nX", takes: 5 * time.Minute,
			cut: true},
		{name: "no next chunk", before: enveloped + "C: BDAT 0\nS: 250", after: "S: 421 4.4.2\nX",
			takes: 5 * time.Minute, cut: true},
		{name: "a refused message that does not end", receive: failing, before: enveloped + "C: DATA\nS: 354",
			trickle: "x", after: "S: 452 4.3.1\nX", takes: time.Minute},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &post{receive: row.receive}
				srv := New(Config{Hostname: "mx.test"}, p)
				c := call(t, srv, "192.0.2.1")
				began := time.Now()
				c.play(row.before)
				if row.trickle != "" {
					go c.trickle(row.trickle, time.Minute)
				}
				c.play(row.after)
				if took := time.Since(began); took != row.takes {
					t.Errorf("took %v", took)
				}
				c.conn.Close()
				synctest.Wait()
				if row.cut != (len(p.cut) == 1 && p.cut[0] == io.ErrUnexpectedEOF) {
					t.Errorf("Receive saw %v", p.cut)
				}
				shutdown(t, srv)
				synctest.Wait()
				time.Sleep(time.Minute) // for the one that trickles
			})
		})
	}
}

// A client that does not read its replies does not hold a session for ever.
func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := New(Config{}, &post{})
		call(t, srv, "192.0.2.1")
		synctest.Wait()
		time.Sleep(5*time.Minute + farewellTimeout)
		synctest.Wait()
		if st := srv.Stats(); st.Open != 0 || st.Total != 1 {
			t.Errorf("%+v", st)
		}
		shutdown(t, srv)
	})
}

func TestHandshakeTimeout(t *testing.T) {
	server, _ := testTLS(t)
	synctest.Test(t, func(t *testing.T) {
		srv := New(Config{Hostname: "mx.test", TLS: server}, &post{})
		c := call(t, srv, "192.0.2.1")
		c.play(greeted + "C: STARTTLS\nS: 220")
		began := time.Now()
		c.expectEnd()
		if took := time.Since(began); took != handshakeTimeout {
			t.Errorf("took %v", took)
		}
		shutdown(t, srv)
	})
}
