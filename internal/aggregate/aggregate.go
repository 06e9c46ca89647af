// Package aggregate reads and writes the reports that mail systems send each other in sums: DMARC aggregate reports
// (RFC 7489 7.2 and appendix C, RFC 9990) and SMTP TLS reports (RFC 8460).
//
// [Read] takes an attachment as it came: XML or JSON, plain, packed with gzip, or in a zip file. What strangers can
// make large, deep or many is bounded: packed and unpacked bytes, records, texts. A report that is broken is refused as
// a whole. [WriteDMARC] and [WriteTLS] make reports of what was seen here.
package aggregate

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Bounds of what is read.
const (
	maxPacked  = 2 << 20
	maxBytes   = 16 << 20
	maxRecords = 10_000
	maxRows    = 500  // that are kept of a report
	maxText    = 200  // bytes of a text that is kept
	maxCount   = 1e12 // of messages
	maxSpan    = 31 * 24 * time.Hour
)

// Errors that say why something is no report.
var (
	ErrTooLarge = errors.New("the report is too large")
	ErrBroken   = errors.New("it is not a report")
)

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBroken, fmt.Sprintf(format, args...))
}

// Read reads an attachment. One report about several domains is one for each of them.
func Read(r io.Reader) ([]mailbox.DomainReport, error) {
	packed, err := io.ReadAll(io.LimitReader(r, maxPacked+1))
	if err != nil {
		return nil, err
	}
	if len(packed) > maxPacked {
		return nil, ErrTooLarge
	}
	plain, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(&bounded{r: plain, left: maxBytes})
	if mark, err := in.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		_, _ = in.Discard(3)
	}
	for {
		c, err := in.ReadByte()
		switch {
		case err != nil:
			return nil, readError(err)
		case c == '<':
			_ = in.UnreadByte() // it was just read
			return readDMARC(in)
		case c == '{':
			_ = in.UnreadByte()
			return readTLS(in)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return nil, broken("neither XML nor JSON")
		}
	}
}

// readError is why what was to be a report could not be read.
func readError(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return ErrTooLarge
	}
	return broken("%v", err)
}

// unpack opens what one layer of gzip or zip has inside.
func unpack(packed []byte) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(packed, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, readError(err)
		}
		return z, nil
	case bytes.HasPrefix(packed, []byte("PK\x03\x04")):
		return unzip(packed)
	}
	return bytes.NewReader(packed), nil
}

// unzip opens the one report in a zip file.
func unzip(packed []byte) (io.Reader, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, readError(err)
	}
	for _, f := range z.File[:min(len(z.File), 10)] {
		if name := strings.ToLower(f.Name); strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".json") {
			in, err := f.Open()
			if err != nil {
				return nil, readError(err)
			}
			return in, nil
		}
	}
	return nil, broken("no report in the zip file")
}

// bounded is a reader that fails where there is more than expected.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// clean is a text that may be kept and shown: one printable line of bounded length.
func clean(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxText {
		s = s[:maxText]
		for len(s) > 0 && !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// span checks the time that a report is about.
func span(begin, end time.Time) error {
	if begin.Unix() <= 0 || end.Before(begin) || end.Sub(begin) > maxSpan {
		return broken("it is about no time that can be")
	}
	return nil
}

// finish adds a report up. Its counts are at least 0.
func finish(r mailbox.DomainReport) (mailbox.DomainReport, error) {
	for _, row := range r.Rows {
		if row.Count < 0 || row.Count > maxCount {
			return r, broken("a count of %d", row.Count)
		}
		if row.Failed() {
			r.Failed += row.Count
		} else {
			r.Passed += row.Count
		}
	}
	if r.ID == "" || r.About == "" {
		return r, broken("it has no id, or is about no domain")
	}
	r.Rows = mailbox.SumRows(r.Rows, maxRows)
	return r, nil
}

// pack packs a report.
func pack(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
