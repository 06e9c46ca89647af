package httpapi

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// writeMbox writes messages one after the other in the form mboxrd: each after a line that begins with "From ", with
// lines that end in LF, and with a ">" before every line that could be taken for such a beginning. What the bytes of a
// message do not say comes before its header, where no signature covers it.
func writeMbox(out *bufio.Writer, e *service.Export) error {
	lines := bufio.NewReaderSize(nil, exportPiece)
	return e.Each(func(m mailbox.Message, cursor string, raw io.Reader) error {
		writeMboxHead(out, m, cursor)
		lines.Reset(raw)
		err := quoteMbox(out, lines)
		if isDeleted(err) {
			_, err = out.WriteString("\n\n[This message was deleted while it was exported.]\n")
		}
		if err == nil {
			err = out.WriteByte('\n')
		}
		return err
	})
}

// writeMboxHead leaves errors to the writes that follow: those of a bufio.Writer stay.
func writeMboxHead(out *bufio.Writer, m mailbox.Message, cursor string) {
	from := m.From.Address
	if from == "" || strings.ContainsFunc(from, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		from = "MAILER-DAEMON"
	}
	_, _ = out.WriteString("From " + from + " " + m.ReceivedAt.UTC().Format(time.ANSIC) + "\n")
	_, _ = out.WriteString("X-Mailkin-Id: " + m.ID.String() + "\nX-Mailkin-Cursor: " + cursor + "\n")
	if len(m.Labels) > 0 {
		_, _ = out.WriteString("X-Mailkin-Labels: " + strings.Join(m.Labels, ", ") + "\n")
	}
	if m.Seen {
		_, _ = out.WriteString("Status: RO\n")
	}
}

// quoteMbox copies a message. The last line ends in any case.
func quoteMbox(out *bufio.Writer, raw *bufio.Reader) error {
	for begins := true; ; { // the next byte is the first of a line
		line, err := raw.ReadSlice('\n')
		if begins && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			_ = out.WriteByte('>') // as in writeMboxHead
		}
		switch err {
		case nil:
			line = append(bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), '\n')
		case bufio.ErrBufferFull:
			if line[len(line)-1] == '\r' { // its LF may be next
				line = line[:len(line)-1]
				_ = raw.UnreadByte() // it can: a byte was just read
			}
		case io.EOF:
			if len(line) > 0 || !begins {
				line = append(line, '\n')
			}
		}
		_, failed := out.Write(line)
		switch {
		case failed != nil || err == io.EOF:
			return failed
		case err != nil && err != bufio.ErrBufferFull:
			return err
		}
		begins = err == nil
	}
}
