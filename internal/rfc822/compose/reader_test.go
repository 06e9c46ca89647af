package compose

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

type closer struct {
	io.Reader
	closed *int
}

func (c closer) Close() error { *c.closed++; return nil }

func TestAttachmentFails(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name   string
		size   int64
		r      io.Reader
		err    error
		want   string
		closes int
	}{
		{"cannot be opened", 3, nil, boom, "open attachment \"a.bin\": boom", 0},
		{"cannot be read", 3, iotest.ErrReader(boom), nil, "read attachment \"a.bin\": boom", 1},
		{"too short", 4, strings.NewReader("abc"), nil, "does not have the 4 bytes", 1},
		{"too long", 2, strings.NewReader("abc"), nil, "does not have the 2 bytes", 1},
		{"empty", 2, strings.NewReader(""), nil, "does not have the 2 bytes", 1},
		{"one too many in the next chunk", streamChunk, strings.NewReader(strings.Repeat("x", streamChunk+1)), nil,
			"does not have", 1},
	} {
		for _, media := range []string{"text/plain", nestedMessage} {
			t.Run(tt.name+" as "+media, func(t *testing.T) {
				closed, opened := 0, 0
				m := plainMail()
				m.Attachments = []Attachment{{Filename: "a.bin", ContentType: media, Size: tt.size,
					Open: func() (io.ReadCloser, error) {
						if tt.err != nil {
							return nil, tt.err
						}
						opened++
						if s, ok := tt.r.(io.Seeker); ok {
							_, _ = s.Seek(0, io.SeekStart)
						}
						return closer{tt.r, &closed}, nil
					}}}
				_, err := io.ReadAll(m.Reader())
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				if closed != opened || opened < tt.closes {
					t.Errorf("opened %d, closed %d", opened, closed)
				}
			})
		}
	}
}

// Anyone who stops reading closes what is open, and reads no more.
func TestClose(t *testing.T) {
	closed := 0
	m := plainMail()
	m.Attachments = []Attachment{{Size: 1 << 20, Open: func() (io.ReadCloser, error) {
		return closer{strings.NewReader(strings.Repeat("x", 1<<20)), &closed}, nil
	}}}
	r := m.Reader()
	if _, err := io.CopyN(io.Discard, r, 4000); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil || closed != 1 {
		t.Errorf("Close: %v, closed %d times", err, closed)
	}
	if n, err := r.Read(make([]byte, 10)); n != 0 || err != io.ErrClosedPipe {
		t.Errorf("read %d bytes after Close, error %v", n, err)
	}
}

func TestWriterFails(t *testing.T) {
	closed := 0
	m := plainMail()
	m.Attachments = []Attachment{{Size: 1 << 20, Open: func() (io.ReadCloser, error) {
		return closer{strings.NewReader(strings.Repeat("x", 1<<20)), &closed}, nil
	}}}
	boom := errors.New("boom")
	if n, err := m.WriteTo(&failing{after: 50_000, err: boom}); !errors.Is(err, boom) || n != 50_000 || closed != 1 {
		t.Errorf("wrote %d, error %v, closed %d", n, err, closed)
	}
}

type failing struct {
	after int
	err   error
}

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.after {
		n := f.after
		f.after = 0
		return n, f.err
	}
	f.after -= len(b)
	return len(b), nil
}
