package draft

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestReadEdit(t *testing.T) {
	for _, c := range []struct {
		name, body string
		given      string
		version    int64
		code       string
	}{
		{"nothing", `{}`, "", 0, ""},
		{"a version", `{"version":12,"subject":"x"}`, "subject", 12, ""},
		{"null is given", `{"text":null,"email_id":null,"version":null}`, "text email_id", 0, ""},
		{"all that there is", `{"from":"a","to":"b","cc":[],"replyTo":"c","reply":true,"forward":false,"all":true,` +
			`"force":true,"in_reply_to":"x","email_id":"y","unknown":{"version":"z"}}`,
			"from to cc reply_to reply forward all force in_reply_to email_id", 0, ""},
		{"each once", `{"to":"a","to":"b"}`, "to", 0, ""},
		{"a dry run is not of a draft", `{"dry_run":true}`, "", 0, ""},
		{"a fraction", `{"version":1.5}`, "", 0, "invalid_version"},
		{"an exponent", `{"version":1e3}`, "", 0, "invalid_version"},
		{"zero", `{"version":0}`, "", 0, "invalid_version"},
		{"negative", `{"version":-1}`, "", 0, "invalid_version"},
		{"text", `{"version":"1"}`, "", 0, "invalid_version"},
		{"long", `{"version":1` + strings.Repeat("0", 30) + `}`, "", 0, "invalid_version"},
		{"unfinished", `{"version":1`, "", 0, "invalid_body"},
		{"another type", `{"reply":"yes"}`, "", 0, "invalid_reply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sp := NewSpool(t.TempDir(), nil)
			defer sp.Close()
			got, err := ReadEdit(iotest.OneByteReader(strings.NewReader(c.body)), mailbox.DefaultLimits(), sp)
			code := ""
			if e, ok := err.(*mailbox.Error); ok {
				code = e.Code
			} else if err != nil {
				t.Fatal(err)
			}
			if code != c.code || got.Version != c.version || strings.Join(got.Given, " ") != c.given {
				t.Errorf("given %q, version %d, code %q", got.Given, got.Version, code)
			}
		})
	}
}

func TestReadAttachment(t *testing.T) {
	sp := NewSpool(t.TempDir(), nil)
	defer sp.Close()
	lim := mailbox.DefaultLimits()
	a, err := ReadAttachment(strings.NewReader(`{"filename":"a.txt","content_type":"text/plain","content":"aGk="}`), lim, sp)
	if err != nil {
		t.Fatal(err)
	}
	got := openAll(t, mailbox.Draft{Attachments: []mailbox.Attachment{a}})
	if !slices.Equal(got, []opened{{"a.txt", "text/plain", "", "hi"}}) {
		t.Errorf("got %+v", got)
	}
	for body, code := range map[string]string{`{}`: "invalid_content", `{"content":"%"}`: "invalid_content", `[]`: "invalid_body",
		`{"filename":1,"content":""}`: "invalid_filename"} {
		_, err := ReadAttachment(strings.NewReader(body), lim, sp)
		if e, ok := err.(*mailbox.Error); !ok || e.Code != code {
			t.Errorf("%s: %v, want %s", body, err, code)
		}
	}
}

// Files of every size around those at which a spool does something else are kept to the byte.
func TestKeep(t *testing.T) {
	sp := NewSpool(t.TempDir(), nil)
	defer sp.Close()
	lim := mailbox.DefaultLimits()
	var d mailbox.Draft
	var want [][]byte
	for i, size := range []int{0, 1, leastBuffer, heldEach, heldEach + 1, mostBuffer, 1 << 20, 3} {
		content := bytes.Repeat([]byte{byte(i)}, size)
		a, err := sp.Keep(bytes.NewReader(content), lim)
		if err != nil {
			t.Fatal(err)
		}
		d.Attachments, want = append(d.Attachments, a), append(want, content)
	}
	for i, f := range openAll(t, d) {
		if f.Content != string(want[i]) {
			t.Errorf("file %d has %d bytes, want %d", i, len(f.Content), len(want[i]))
		}
	}
	lim.AttachmentBytes = 10
	if _, err := sp.Keep(bytes.NewReader(make([]byte, 11)), lim); mailbox.KindOf(err) != mailbox.TooLarge {
		t.Errorf("a file that is too large: %v", err)
	}
}
