package draft

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestAttachments(t *testing.T) {
	for _, row := range []struct {
		name, body string
		want       []opened
	}{
		{"one", `[{"filename":"a.txt","content":"aGVsbG8=","content_type":"text/plain","content_id":"1"}]`,
			[]opened{{"a.txt", "text/plain", "1", "hello"}}},
		{"content first", `[{"content":"aGVsbG8=","contentType":"text/plain","x":{"content":1},"filename":"a.txt"}]`,
			[]opened{{"a.txt", "text/plain", "", "hello"}}},
		{"several", `[{"content":"YQ==","filename":"a"},{"content":"","filename":"b"},{"content":"Yw"}]`,
			[]opened{{"a", "", "", "a"}, {"b", "", "", ""}, {Content: "c"}}},
		{"the last content counts", `[{"content":"YQ==","content":"Yg=="},{"content":"Yw==","content":null,"content":"ZA=="}]`, []opened{{Content: "b"}, {Content: "d"}}},
		{"the last list counts", `[{"content":"YQ=="},{"content":"Yg=="}],"attachments":[{"content":"Yw=="}]`,
			[]opened{{Content: "c"}}},
		{"the last list is none", `[{"content":"YQ=="}],"attachments":null`, nil},
		{"nulls", `[{"content":"YQ==","filename":null,"content_type":null,"content_id":null}]`,
			[]opened{{Content: "a"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := readString(t, `{"attachments":`+row.body+`}`, Send)
			if diff := cmp.Diff(row.want, got.Files); diff != "" || got.Err != nil {
				t.Error(got.Err, diff)
			}
		})
	}
}

func TestBase64(t *testing.T) {
	for _, row := range []struct{ name, content, want string }{
		{"nothing", ``, ""},
		{"padded", `YQ==`, "a"},
		{"not padded", `YQ`, "a"},
		{"padded once", `YWI=`, "ab"},
		{"not padded once", `YWI`, "ab"},
		{"whole", `YWJj`, "abc"},
		{"spare bits", `YR==`, "a"},
		{"standard", `+/+/`, "\xfb\xff\xbf"},
		{"URL", `-_-_`, "\xfb\xff\xbf"},
		{"escaped slash", `+\/+\/`, "\xfb\xff\xbf"},
		{"escaped plus", `\u002B\/\u002b\u002f`, "\xfb\xff\xbf"},
		{"escaped padding", `YQ\u003d\u003D`, "a"},
		{"lines", `aGVs\r\nbG8g\nd29y\tbGQ \r\n`, "hello world"},
		{"white space alone", ` \n`, ""},
		{"white space in a group", `Y Q\n = =\n`, "a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := readString(t, `{"attachments":[{"content":"`+row.content+`"}]}`, Send)
			if diff := cmp.Diff([]opened{{Content: row.want}}, got.Files); diff != "" || got.Err != nil {
				t.Error(got.Err, diff)
			}
		})
	}
}

func TestNotBase64(t *testing.T) {
	for _, content := range []string{
		`a`, `abcde`, `=`, `==`, `a=`, `a==`, `a===`, `YQ=`, `YQ===`, `YWI==`, `YWJj=`, `YWJj====`, `YQ==YQ==`, `YQ=a`,
		`YQ==a`, `Y=Q=`, `YQ*=`, `YQ.`, `YQ==\u0000`, `\u00e9`,
		`é`, `YWJjYWJjYWJj*`, `data:text/plain;base64,YQ==`, `\ud83d\ude00`, `\"`, `\\`, `\b`, `hello, world`, "\xff",
	} {
		got := readString(t, `{"attachments":[{"content":""},{"content":""},{"content":"`+content+`"}]}`, Send)
		want := result{Err: &mailbox.Error{Kind: mailbox.Invalid, Code: "invalid_attachments",
			Field:   "attachments[2].content",
			Message: `The field "attachments[2].content" is not valid base64.`}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", content, diff)
		}
	}
}

// All sizes around those at which something changes, in each alphabet, with lines and without.
func TestBase64Sizes(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	sizes := []int{heldEach - 1, heldEach, heldEach + 1, mostBuffer - 1, mostBuffer, mostBuffer + 1, 3 * mostBuffer,
		200_000, heldAll + 1}
	for n := range 50 {
		sizes = append(sizes, n, leastBuffer-25+n)
	}
	for _, size := range sizes {
		data := make([]byte, size)
		_, _ = random.Read(data) // never fails
		for i, coding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
			base64.RawURLEncoding} {
			content := coding.EncodeToString(data)
			if i%2 == 1 {
				content = inLines(content, 76)
			}
			got := readString(t, `{"attachments":[{"content":"`+content+`"}]}`, Send)
			if got.Err != nil || len(got.Files) != 1 || got.Files[0].Content != string(data) {
				t.Errorf("%d bytes, coding %d: %v", size, i, got.Err)
			}
		}
	}
}

// inLines breaks a text into lines, as JSON has them.
func inLines(s string, length int) string {
	var b strings.Builder
	for len(s) > length {
		b.WriteString(s[:length] + `\r\n`)
		s = s[length:]
	}
	return b.String() + s
}
