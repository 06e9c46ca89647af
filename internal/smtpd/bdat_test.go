package smtpd

import (
	"fmt"
	"strings"
	"testing"
)

func TestBDAT(t *testing.T) {
	playAll(t, []dialogue{
		{name: "one chunk", script: enveloped + `
			R: "BDAT 6 LAST\r\nhello\n"
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001`, bodies: []string{"hello\n"}},
		{name: "dots and ends of data are content", script: enveloped + `
			R: "BDAT 13 last\r\n..a\r\n.\r\nQUIT\r"
			S: 250 2.0.0 Stored`, bodies: []string{"..a\r\n.\r\nQUIT\r"[:13]}},
		{name: "several chunks", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250 2.0.0 Chunk
			R: "BDAT 0\r\n"
			S: 250 2.0.0 Chunk
			R: "BDAT 3\r\ndef"
			S: 250 2.0.0 Chunk
			C: NOOP
			S: 250
			R: "BDAT 0 LAST\r\n"
			S: 250 2.0.0 Stored`, bodies: []string{"abcdef"}},
		{name: "an empty message", script: enveloped + `
			C: BDAT 0 LAST
			S: 250 2.0.0 Stored`, bodies: []string{""}},
		{name: "pipelined", script: greeted + `
			R: "MAIL FROM:<a@b>\r\nRCPT TO:<bob@mx.test>\r\nBDAT 3\r\nabcBDAT 3 LAST\r\ndefMAIL FROM:<a@b>\r\nRCPT TO:<bob@mx.test>\r\nBDAT 1 LAST\r\nxQUIT\r\n"
			S: 250 2.1.0
			S: 250 2.1.5
			S: 250 2.0.0 Chunk
			S: 250 2.0.0 Stored
			S: 250 2.1.0
			S: 250 2.1.5
			S: 250 2.0.0 Stored
			S: 221
			X`, bodies: []string{"abcdef", "x"}},

		{name: "refused without MAIL, the chunk is dropped", script: greeted + `
			R: "BDAT 6\r\nQUIT\r\nNOOP\r\n"
			S: 503 5.5.1
			S: 250 2.0.0 OK`},
		{name: "refused without recipients", script: greeted + `
			R: "MAIL FROM:<a@b>\r\nRCPT TO:<unknown@mx.test>\r\nBDAT 6\r\nQUIT\r\nBDAT 6 LAST\r\nQUIT\r\nRSET\r\n"
			S: 250
			S: 550 5.1.1
			S: 503 5.5.1
			S: 503 5.5.1
			S: 250 2.0.0 OK`},
		{name: "refused without hello", script: `
			S: 220
			R: "BDAT 6 LAST\r\nQUIT\r\nNOOP\r\n"
			S: 503 5.5.1
			S: 250`},
		{name: "a wrong second word", script: enveloped + `
			R: "BDAT 6 FIRST\r\nQUIT\r\nBDAT 6 LAST LAST\r\nQUIT\r\nBDAT 1 LAST\r\nx"
			S: 501 5.5.4
			S: 501 5.5.4
			S: 250 2.0.0 Stored`, bodies: []string{"x"}},
		{name: "too large at once", cfg: Config{MaxSize: 10}, script: enveloped + `
			R: "BDAT 12 LAST\r\nQUIT\r\nQUIT\r\nNOOP\r\n"
			S: 552 5.3.4
			S: 250 2.0.0 OK
			C: MAIL FROM:<a@b>
			S: 250`},
		{name: "too large together", cfg: Config{MaxSize: 10}, script: enveloped + `
			R: "BDAT 6\r\nQUIT\r\nBDAT 6\r\nQUIT\r\nBDAT 6 LAST\r\nQUIT\r\nNOOP\r\n"
			S: 250 2.0.0 Chunk
			S: 552 5.3.4
			S: 503 5.5.1
			S: 250 2.0.0 OK`},
		{name: "as large as may be", cfg: Config{MaxSize: 10}, script: enveloped + `
			R: "BDAT 6\r\nQUIT\r\nBDAT 4 LAST\r\nQUIT"
			S: 250 2.0.0 Chunk
			S: 250 2.0.0 Stored`, bodies: []string{"QUIT\r\nQUIT"}},
		{name: "beyond patience", cfg: Config{MaxSize: 10}, script: enveloped + `
			R: "BDAT 21 LAST\r\nQUIT\r\nQUIT\r\n"
			S: 552 5.3.4
			S: 421
			X`},

		{name: "only BDAT and RSET may follow", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250
			C: DATA
			S: 503 5.5.1
			C: MAIL FROM:<a@b>
			S: 503 5.5.1
			C: RCPT TO:<carol@mx.test>
			S: 503 5.5.1
			R: "BDAT 0 LAST\r\n"
			S: 250 2.0.0 Stored
			C: RCPT TO:<carol@mx.test>
			S: 503 5.5.1`, bodies: []string{"abc"}},
		{name: "a message sent before DATA is refused is not run", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250
			R: "DATA\r\nBDAT 0 LAST\r\n.\r\n"
			S: 421 4.7.0
			X`},
		{name: "RSET aborts", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250
			C: RSET
			S: 250
			R: "BDAT 6 LAST\r\nQUIT\r\n"
			S: 503 5.5.1
			C: MAIL FROM:<a@b>
			S: 250`},
		{name: "EHLO aborts", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250
			C: EHLO again.test
			S* 250
			C: MAIL FROM:<a@b>
			S: 250`},
		{name: "QUIT aborts", script: enveloped + `
			R: "BDAT 3\r\nabc"
			S: 250
			C: QUIT
			S: 221
			X`},
	})
}

// Where the size cannot be read nobody knows what is message and what is command.
func TestBDATWithoutSize(t *testing.T) {
	for _, line := range []string{
		"BDAT\r\n", "BDAT LAST\r\n", "BDAT x\r\n", "BDAT -1\r\n", "BDAT +5\r\n", "BDAT 0x5\r\n", "BDAT 1e3\r\n",
		"BDAT 99999999999999999999999 LAST\r\n", "BDAT 6\n", "BDAT\t6\r\n", "bdat 6\x00\r\n",
		"BDAT 6" + strings.Repeat(" ", lineMax) + "\r\n",
	} {
		t.Run(fmt.Sprintf("%.20q", line), func(t *testing.T) {
			p := &post{}
			_, addr := start(t, Config{}, p)
			c := dial(t, addr)
			c.play(enveloped)
			c.send(line + "RSET\r\nNOOP\r\n")
			c.play("S: 50\nS: 421 4.7.0\nX")
			if p.bodies() != nil {
				t.Errorf("stored %q", p.bodies())
			}
		})
	}
}

// A large message passes through in pieces, whatever the chunks' sizes.
func TestBDATLarge(t *testing.T) {
	p := &post{}
	_, addr := start(t, Config{}, p)
	c := dial(t, addr)
	c.play(enveloped)
	var want strings.Builder
	for i, size := range []int{1, lineMax, bulkSize, bulkSize + 1, 1 << 20, 0, 7} {
		chunk := strings.Repeat(string(rune('a'+i)), size)
		want.WriteString(chunk)
		c.send(fmt.Sprintf("BDAT %d\r\n%s", size, chunk))
		c.expect("250 2.0.0 Chunk")
	}
	c.play("C: BDAT 0 LAST\nS: 250 2.0.0 Stored")
	if p.bodies()[0] != want.String() {
		t.Error("the message is not what was sent")
	}
}
