package smtpd

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const lmtpEnveloped = `
	S: 220 mx.test LMTP
	C: LHLO mta.test
	S* 250
	C: MAIL FROM:<alice@client.test>
	S: 250
	C: RCPT TO:<bob@mx.test>
	S: 250
	C: RCPT TO:<unknown@mx.test>
	S: 550
	C: RCPT TO:<late-full@mx.test>
	S: 250
	C: RCPT TO:<bob@MX.test>
	S: 250
`

func TestLMTP(t *testing.T) {
	rows := []dialogue{
		{name: "a reply for each accepted RCPT", script: lmtpEnveloped + `
			C: DATA
			S: 354
			C: x
			C: .
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001
			S: 452 4.2.2
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001
			C: QUIT
			S: 221
			X`, bodies: []string{"x\r\n"}},
		{name: "by BDAT", script: lmtpEnveloped + `
			R: "BDAT 1\r\nx"
			S: 250 2.0.0 Chunk
			R: "BDAT 0 LAST\r\n"
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001
			S: 452 4.2.2
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001
			C: NOOP
			S: 250 2.0.0 OK`, bodies: []string{"x"}},
		{name: "too large", cfg: Config{MaxSize: 5}, script: lmtpEnveloped + `
			C: DATA
			S: 354
			C: 123456
			C: .
			S: 552 5.3.4
			S: 552 5.3.4
			S: 552 5.3.4
			C: NOOP
			S: 250`},
		{name: "a chunk before the last has one reply", cfg: Config{MaxSize: 5}, script: lmtpEnveloped + `
			R: "BDAT 6\r\n123456"
			S: 552 5.3.4
			R: "BDAT 6 LAST\r\n123456"
			S: 503 5.5.1
			C: NOOP
			S: 250`},
		{name: "the last has all", cfg: Config{MaxSize: 5}, script: lmtpEnveloped + `
			R: "BDAT 6 LAST\r\n123456"
			S: 552 5.3.4
			S: 552 5.3.4
			S: 552 5.3.4
			C: NOOP
			S: 250`},
		{name: "nobody to answer for", script: `
			S: 220
			C: LHLO mta.test
			S* 250
			C: MAIL FROM:<>
			S: 250
			C: RCPT TO:<unknown@mx.test>
			S: 550
			C: DATA
			S: 503 5.5.1`},
		{name: "each has its own answer", script: `
			S: 220
			C: LHLO mta.test
			S* 250
			C: MAIL FROM:<>
			S: 250
			C: RCPT TO:<bob@mx.test>
			S: 250
			C: RCPT TO:<choosy@mx.test>
			S: 250`},
		{name: "HELO and EHLO are not LMTP", script: `
			S: 220
			C: EHLO mta.test
			S: 500 5.5.2
			C: HELO mta.test
			S: 500 5.5.2`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{}
			row.cfg.LMTP = true
			srv, addr := start(t, row.cfg, p)
			dial(t, addr).play(row.script)
			if diff := cmp.Diff(row.bodies, p.bodies()); diff != "" {
				t.Error(diff)
			}
			if row.bodies != nil && (p.stored[0].env.Proto != "LMTP" || len(p.stored[0].env.Recipients) != 2) {
				t.Errorf("%+v", p.stored[0].env)
			}
			if got := srv.Stats().Accepted; got != int64(len(row.bodies)) {
				t.Errorf("%d accepted", got)
			}
		})
	}
}
