package draft

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// opened is an attachment with its bytes.
type opened struct {
	Filename, ContentType, ContentID string
	Content                          string
}

// result is what a body is read as: a draft, its attachments opened, or an error.
type result struct {
	Draft mailbox.Draft // without attachments
	Files []opened
	Err   *mailbox.Error // without the cause
	Other string         // another error
}

// read reads a body and closes the spool.
func read(t testing.TB, body io.Reader, kind Kind, lim mailbox.Limits) result {
	t.Helper()
	return readIn(t, t.TempDir(), body, kind, lim)
}

// readIn is read with a folder that many share.
func readIn(t testing.TB, dir string, body io.Reader, kind Kind, lim mailbox.Limits) result {
	t.Helper()
	sp := NewSpool(dir, nil)
	defer func() {
		if err := sp.Close(); err != nil {
			t.Error(err)
		}
	}()
	d, err := Read(body, kind, lim, sp)
	var known *mailbox.Error
	switch {
	case errors.As(err, &known):
		return result{Err: &mailbox.Error{Kind: known.Kind, Code: known.Code, Field: known.Field,
			Message: known.Message}}
	case err != nil:
		return result{Other: err.Error()}
	}
	return result{Draft: withoutFiles(d), Files: openAll(t, d)}
}

func readString(t testing.TB, body string, kind Kind) result {
	t.Helper()
	return read(t, strings.NewReader(body), kind, mailbox.DefaultLimits())
}

func withoutFiles(d mailbox.Draft) mailbox.Draft {
	d.Attachments = nil
	return d
}

func openAll(t testing.TB, d mailbox.Draft) []opened {
	t.Helper()
	var files []opened
	for _, a := range d.Attachments {
		r, err := a.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		if int64(len(data)) != a.Size {
			t.Errorf("attachment %q says it has %d bytes and has %d", a.Filename, a.Size, len(data))
		}
		files = append(files, opened{a.Filename, a.ContentType, a.ContentID, string(data)})
	}
	return files
}
