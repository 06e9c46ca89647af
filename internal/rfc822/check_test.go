package rfc822

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// checkMessage holds for every message, whatever its bytes.
func checkMessage(t *testing.T, raw []byte, m *Message) {
	t.Helper()
	if m.Size != int64(len(raw)) {
		t.Errorf("Size %d of %d bytes", m.Size, len(raw))
	}
	checkStrings(t, m)
	seen := map[Defect]bool{}
	for _, d := range m.Defects {
		if seen[d] {
			t.Errorf("defect %s twice", d)
		}
		seen[d] = true
	}
	for i, p := range m.Parts {
		if p.Index != i+1 {
			t.Errorf("part %d has Index %d", i, p.Index)
		}
		checkPart(t, raw, p)
	}
}

// checkStrings looks at everything that is text.
func checkStrings(t *testing.T, m *Message) {
	t.Helper()
	all := []string{m.Subject, m.MessageID, m.Text, m.HTML}
	all = append(all, m.InReplyTo...)
	all = append(all, m.References...)
	for _, list := range [][]Address{m.From, m.Sender, m.ReplyTo, m.To, m.Cc, m.Bcc} {
		for _, a := range list {
			all = append(all, a.Name, a.Address)
		}
	}
	for _, f := range m.Header.Fields() {
		all = append(all, f.Name, f.Value)
	}
	for _, p := range m.Parts {
		all = append(all, p.Path, p.ContentType, p.Charset, p.Filename, p.Disposition, p.ContentID)
		if strings.ContainsAny(p.Filename, "/\\\r\n") || len(p.Filename) > maxFilename+4 || p.ContentType == "" {
			t.Errorf("unsafe file name %q or type %q", p.Filename, p.ContentType)
		}
	}
	for _, s := range all {
		if !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
			t.Errorf("not clean text: %.80q", s)
		}
	}
	if strings.IndexByte(m.Text, '\r') >= 0 || strings.IndexByte(m.HTML, '\r') >= 0 {
		t.Error("CR in Text or HTML")
	}
	if len(m.InReplyTo) > maxIDs || len(m.References) > maxIDs {
		t.Error("too many ids")
	}
}

// checkPart decodes a part from the raw message.
func checkPart(t *testing.T, raw []byte, p Part) {
	t.Helper()
	if p.Offset < 0 || p.Length < 0 || p.Offset+p.Length > int64(len(raw)) {
		t.Errorf("part %d at %d+%d is not within %d bytes", p.Index, p.Offset, p.Length, len(raw))
		return
	}
	encoded := raw[p.Offset : p.Offset+p.Length]
	for _, r := range []io.Reader{bytes.NewReader(encoded), iotest.OneByteReader(bytes.NewReader(encoded))} {
		got, err := io.ReadAll(p.Decode(r))
		if err != nil {
			t.Errorf("part %d: %v", p.Index, err)
		}
		if int64(len(got)) != p.Size || sha256.Sum256(got) != p.SHA256 {
			t.Errorf("part %d (%s, encoding %d, inner %v) decodes to %d bytes, not %d, or to others",
				p.Index, p.ContentType, p.Encoding, p.Inner, len(got), p.Size)
		}
	}
}

// checkChunks parses in pieces and compares with the whole.
func checkChunks(t *testing.T, raw []byte, want *Message, lim Limits, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	for _, biggest := range []int{1, 7, 300} {
		p := NewParser(lim)
		for rest := raw; len(rest) > 0; {
			n := min(len(rest), 1+rnd.IntN(biggest))
			if _, err := p.Write(bytes.Clone(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		got := p.Message()
		if reflect.DeepEqual(want, got) { // what is equal to it is to cmp, too, which takes longer
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Header{}, span{})); diff != "" {
			t.Errorf("pieces of up to %d bytes give another message:\n%s", biggest, diff)
		}
	}
}

// content is the decoded bytes of a part.
func content(t *testing.T, raw []byte, p Part) []byte {
	t.Helper()
	b, err := io.ReadAll(p.Decode(bytes.NewReader(raw[p.Offset : p.Offset+p.Length])))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
