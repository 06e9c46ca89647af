package smtpd

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// readDots reads the message at the front of src with a buffer of the given size, and returns it with what is behind.
func readDots(src io.Reader, size int, wrap func(io.Reader) io.Reader) (content, rest string, err error) {
	in := &input{buf: make([]byte, size)}
	r := newDotReader(in, func() error { return in.more(src) })
	body, err := io.ReadAll(wrap(r))
	tail, _ := io.ReadAll(src)
	return string(body), string(in.unread()) + string(tail), err
}

// referenceDots is the same byte by byte, from the words of RFC 5321 4.5.2.
func referenceDots(s string) (content, rest string, done bool) {
	var out strings.Builder
	for i, lineStart := 0, true; i < len(s); {
		if lineStart && s[i] == '.' {
			if strings.HasPrefix(s[i:], ".\r\n") {
				return out.String(), s[i+3:], true
			}
			if i+1 == len(s) || s[i:] == ".\r" {
				return out.String(), "", false
			}
			i++
		}
		out.WriteByte(s[i])
		i++
		lineStart = strings.HasSuffix(s[:i], "\r\n")
	}
	return out.String(), "", false
}

func TestDotReader(t *testing.T) {
	rows := []struct{ name, in, content, rest string }{
		{"empty", ".\r\n", "", ""},
		{"a line", "a\r\n.\r\nQUIT\r\n", "a\r\n", "QUIT\r\n"},
		{"stuffed", "..\r\n...\r\n..a\r\n.\r\n", ".\r\n..\r\n.a\r\n", ""},
		{"dot taken from a line that was not stuffed", ".a\r\n.\r\n", "a\r\n", ""},
		{"dots inside lines", "a.\r\nb.b\r\n.\r\n", "a.\r\nb.b\r\n", ""},
		{"NUL and high bytes", "\x00\xff\r\n.\r\n", "\x00\xff\r\n", ""},

		// Ends that some servers take and others do not: the message that a smuggler hides is after them.
		{"LF . LF", "a\n.\nb\r\n.\r\n", "a\n.\nb\r\n", ""},
		{"LF . CR LF", "a\n.\r\nb\r\n.\r\n", "a\n.\r\nb\r\n", ""},
		{"CR LF . LF", "a\r\n.\nb\r\n.\r\n", "a\r\n\nb\r\n", ""},
		{"CR LF . CR", "a\r\n.\rb\r\n.\r\n", "a\r\n\rb\r\n", ""},
		{"CR . CR", "a\r.\rb\r\n.\r\n", "a\r.\rb\r\n", ""},
		{"CR . CR LF", "a\r.\r\nb\r\n.\r\n", "a\r.\r\nb\r\n", ""},
		{"CR LF . CR CR LF", "a\r\n.\r\r\nb\r\n.\r\n", "a\r\n\r\r\nb\r\n", ""},
		{"CR CR LF . CR LF", "a\r\r\n.\r\nb", "a\r\r\n", "b"},
		{"CR LF NUL . CR LF", "a\r\n\x00.\r\nb\r\n.\r\n", "a\r\n\x00.\r\nb\r\n", ""},
		{"LF CR LF . CR LF", "a\n\r\n.\r\nb", "a\n\r\n", "b"},
	}
	for _, row := range rows {
		for size := 4; size < 24; size++ {
			content, rest, err := readDots(strings.NewReader(row.in), size, func(r io.Reader) io.Reader { return r })
			if content != row.content || rest != row.rest || err != nil {
				t.Errorf("%s, buffer of %d: %q, rest %q, %v", row.name, size, content, rest, err)
			}
		}
		content, _, err := readDots(iotest.OneByteReader(strings.NewReader(row.in)), 64, iotest.OneByteReader)
		if content != row.content || err != nil {
			t.Errorf("%s, byte by byte: %q, %v", row.name, content, err)
		}
	}
}

// As a reader it fills what it is given as far as the buffer goes, through dots and line ends.
func TestDotReaderFills(t *testing.T) {
	src := strings.NewReader(strings.Repeat("..a line\r\n", 100) + ".\r\n")
	in := &input{buf: make([]byte, bulkSize)}
	r := newDotReader(in, func() error { return in.more(src) })
	p := make([]byte, 2000)
	if n, err := r.Read(p); n != 900 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := r.Read(p); n != 0 || err != io.EOF {
		t.Errorf("after the end: %d, %v", n, err)
	}
}

// FuzzDataReader compares with the reference for any input, buffer and sizes of reads.
func FuzzDataReader(f *testing.F) {
	f.Add([]byte("a\r\n..b\r\n.\r\nQUIT\r\n"), uint64(1))
	f.Add([]byte("\r\n.\r\r\n.\n.\r\n\r\n.\r\n"), uint64(2))
	f.Add([]byte("..\r\n.\r"), uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		short := func(r io.Reader) io.Reader { return shortReader{r, rnd} }
		content, rest, err := readDots(short(bytes.NewReader(data)), 4+rnd.IntN(40), short)
		wantContent, wantRest, done := referenceDots(string(data))
		if done != (err == nil) {
			t.Fatalf("%q: error %v, reference done %v", data, err, done)
		}
		if !done && content+"\r" == wantContent {
			content += "\r" // held back at the very end: the message is lost in any case
		}
		if !done {
			rest = ""
		}
		if content != wantContent || rest != wantRest {
			t.Fatalf("%q: %q rest %q, reference %q rest %q", data, content, rest, wantContent, wantRest)
		}
	})
}

// shortReader reads at random less than it could.
type shortReader struct {
	r   io.Reader
	rnd *rand.Rand
}

func (s shortReader) Read(p []byte) (int, error) { return s.r.Read(p[:1+s.rnd.IntN(len(p))]) }

// letterOf is a message of about n bytes in lines of 76, some of which begin with a dot.
func letterOf(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		line := strings.Repeat("abcdefghijklmnopqrs", 4)
		if i%50 == 0 {
			line = ".." + line
		}
		b.WriteString(line + "\r\n")
	}
	b.WriteString(".\r\n")
	return b.Bytes()
}

func BenchmarkDataReader(b *testing.B) {
	for name, size := range map[string]int{"4KB": 4 << 10, "100KB": 100 << 10, "10MB": 10 << 20} {
		b.Run(name, func(b *testing.B) {
			raw := letterOf(size)
			buf := make([]byte, bulkSize)
			p := make([]byte, 32<<10)
			src := bytes.NewReader(raw)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				src.Reset(raw)
				in := &input{buf: buf}
				r := newDotReader(in, func() error { return in.more(src) })
				for {
					if _, err := r.Read(p); err != nil {
						break
					}
				}
			}
		})
	}
}
