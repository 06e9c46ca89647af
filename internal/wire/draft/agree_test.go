package draft

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// agree compares what a body is read as with what encoding/json makes of it, and with the same body in single bytes.
func agree(t *testing.T, dir string, body []byte, kind Kind) {
	t.Helper()
	lim := mailbox.DefaultLimits()
	got := readIn(t, dir, bytes.NewReader(body), kind, lim)
	if diff := cmp.Diff(got, readIn(t, dir, iotest.OneByteReader(bytes.NewReader(body)), kind, lim)); diff != "" {
		t.Errorf("%q: in single bytes: %s", body, diff)
	}
	want, err := oracle(body, kind)
	switch {
	case got.Other != "":
		t.Errorf("%q: %s", body, got.Other)
	case got.Err == nil && err != nil:
		t.Errorf("%q: read, although %v", body, err)
	case got.Err == nil:
		got.Draft, want.Draft = sorted(got.Draft), sorted(want.Draft)
		if diff := cmp.Diff(want, got); diff != "" && !ambiguous(body) {
			t.Errorf("%q: %s", body, diff)
		}
	case strings.Contains(got.Err.Message, "at most"): // encoding/json has other bounds
	case got.Err.Code == "invalid_body" && json.Valid(body) && bytes.TrimLeft(body, " \t\r\n")[0] == '{':
		t.Errorf("%q: %v, although it is valid", body, got.Err)
	case err == nil && !ambiguous(body):
		t.Errorf("%q: %v, although it is good", body, got.Err)
	}
}

// sorted puts what a Go map has no order of into one.
func sorted(d mailbox.Draft) mailbox.Draft {
	slices.SortFunc(d.Headers, func(a, b mailbox.Field) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(d.Tags)
	return d
}

func TestAgreesWithEncodingJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	for seed := range uint64(2_000) {
		g := generator{rand.New(rand.NewPCG(seed, 0))}
		body := []byte(g.body())
		agree(t, dir, body, Kind(seed%3))
		if len(body) > 0 {
			agree(t, dir, g.damage(body), Kind(seed%3))
		}
	}
}

func FuzzRead(f *testing.F) {
	for seed := range uint64(50) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		f.Add([]byte(g.body()), uint8(seed))
	}
	f.Add([]byte(`{"text":"\ud800\ud83d\ude00","attachments":[{"content":"Y\/\u002b=","contentType":"a/b"}],"replyTo":["a"],"tags":[{"name":"a","value":"b"}]} `), uint8(0))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, body []byte, kind uint8) {
		if len(body) <= 10_000 {
			agree(t, dir, body, Kind(kind%3))
		}
	})
}

// Where the body is cut into reads makes no difference, be it good or not.
func TestEveryChunking(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	lim := mailbox.DefaultLimits()
	lim.TextBytes, lim.AttachmentBytes, lim.MessageBytes = 300_000, 150_000, 260_000
	text := strings.Repeat(`A\n\u00e9\ud83d\ude00é€ plain `, 3_000)
	good := `{"to":["a@x","b@x"],"text":"` + text + `","x":{"y":[1.5e3,"\ud800"]},"attachments":[` + fileOf(140_000,
		"a") + `,{"content":"` +
		inLines(strings.Repeat("YWJj", 5_000), 76) +
		`","filename":"\ud83d\ude00"}],"headers":{"X-A":"b"},"send_at":"2026-01-31T12:00:00Z"}`
	for name, body := range map[string]string{
		"good":                     good,
		"attachment too large":     `{"attachments":[` + fileOf(150_001, "a") + `]}`,
		"message too large":        `{"attachments":[` + fileOf(150_000, "a") + "," + fileOf(149_000, "b") + `]}`,
		"too large, then wrong":    `{"attachments":[{"content":"` + strings.Repeat("YWJj", 50_001) + `*"`,
		"wrong, then too large":    `{"attachments":[{"content":"*` + strings.Repeat("YWJj", 50_001) + `"`,
		"text too large":           `{"text":"` + strings.Repeat("é", 150_000) + `a\q"}`,
		"text wrong":               `{"text":"` + strings.Repeat("é", 149_999) + "\n\"}",
		"text replaced, too large": `{"text":"` + strings.Repeat("\xff", 100_001) + `"}`,
	} {
		want := readIn(t, dir, strings.NewReader(body), Send, lim)
		if (want.Err == nil) != (name == "good") {
			t.Fatalf("%s: %v", name, want.Err)
		}
		same := func(how string, got result) {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: %.2000s", name, how, diff)
			}
		}
		same("single bytes", readIn(t, dir, iotest.OneByteReader(strings.NewReader(body)), Send, lim))
		same("halves", readIn(t, dir, iotest.HalfReader(strings.NewReader(body)), Send, lim))
		same("error with the data", readIn(t, dir, iotest.DataErrReader(strings.NewReader(body)), Send, lim))
		for seed := range uint64(18) {
			random := rand.New(rand.NewPCG(seed, 2))
			same(fmt.Sprint("random ", seed), readIn(t, dir, &split{strings.NewReader(body), random, 1 << (seed % 18)},
				Send, lim))
		}
	}
}

// split reads pieces of random length.
type split struct {
	from   *strings.Reader
	random *rand.Rand
	most   int
}

func (s *split) Read(p []byte) (int, error) {
	return s.from.Read(p[:min(len(p), s.random.IntN(s.most+1))])
}
