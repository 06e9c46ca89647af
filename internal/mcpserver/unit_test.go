package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// A marker that is in the text is drawn again, in whatever case it is there.
func TestFenceIsDrawnAgain(t *testing.T) {
	drawn := []string{"AAAA", "BBBB", "CCCC"}
	f := drawFence(func() string {
		next := drawn[0]
		drawn = drawn[1:]
		return next
	}, "a text with aaaa", "and one with BBBB in it")
	if f.marker != "CCCC" {
		t.Errorf("the marker is %s", f.marker)
	}
}

func TestSealReachesEverything(t *testing.T) {
	r := result{fields: fields{"a": mailText("one"), "b": []fields{{"c": fields{"d": mailText("two")}}}, "e": "three"}}
	sealed, err := r.seal()
	if err != nil {
		t.Fatal(err)
	}
	text, err := encode(sealed)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, " begins ---") != 2 || sealed["notice"] != notice || sealed["e"] != "three" {
		t.Error(text)
	}
	if sealed, _ := (result{fields: fields{"a": "b"}}).seal(); sealed["notice"] != nil {
		t.Error("a result without mail has a notice")
	}
}

func FuzzCut(f *testing.F) {
	f.Add("some words\nand \"more\" <of> them", 3, 12)
	f.Add("", 0, 0)
	f.Add("\xff\xfe日本語", 1, 5)
	f.Fuzz(func(t *testing.T, s string, offset, budget int) {
		s = clean(s)
		budget = max(budget, 10) // more than any character costs
		p := cut(s, offset, budget)
		if costOf(p.text) > budget || p.offset < 0 || p.offset+p.length > p.total {
			t.Fatalf("%+v of %d", p, budget)
		}
		var whole strings.Builder
		for at, n := 0, 0; ; n++ {
			p := cut(s, at, budget)
			whole.WriteString(p.text)
			if at = p.next(); at == 0 {
				break
			}
			if n > len(s) {
				t.Fatal("it does not end")
			}
		}
		if whole.String() != s {
			t.Fatalf("%q is not %q", whole.String(), s)
		}
	})
}

// A budget is one of JSON: what is within it is, also when it is written twice.
func TestCostIsEnough(t *testing.T) {
	for _, r := range "a\"\\\n\t<>&\u2028\u2029é日😀\uFFFD" {
		inner, _ := json.Marshal(string(r))
		outer, _ := json.Marshal(string(inner))
		both := len(inner) - 2 + len(outer) - 2 - 4
		if both > 2*cost(r) {
			t.Errorf("%q takes %d bytes, and costs %d", r, both, 2*cost(r))
		}
	}
}

func TestOrigins(t *testing.T) {
	h := newHosts([]string{"Mail.Example.", "agents.example:443"})
	for _, tt := range []struct {
		name, host string
		origins    []string
		want       bool
	}{
		{"no page", "evil.example", nil, true},
		{"a page of another origin", "mail.example", []string{"https://app.example"}, true},
		{"a page of ours", "mail.example", []string{"https://mail.example"}, true},
		{"under another name of ours", "agents.example:8443", []string{"https://AGENTS.example:8443"}, true},
		{"this machine", "localhost:8025", []string{"http://localhost:8025"}, true},
		{"this machine by a name", "mailkin.localhost:8025", []string{"http://mailkin.localhost:8025"}, true},
		{"an address", "127.0.0.1:8025", []string{"http://127.0.0.1:8025"}, true},
		{"an address of version 6", "[::1]:8025", []string{"http://[::1]:8025"}, true},
		{"a name that was made to lead here", "evil.example:8025", []string{"http://evil.example:8025"}, false},
		{"the same with other letters", "evil.example:8025", []string{"http://EVIL.example.:8025"}, false},
		{"a file", "evil.example", []string{"null"}, true},
		{"an extension", "localhost", []string{"chrome-extension://abcdef"}, true},
		{"not an origin", "localhost", []string{"evil"}, false},
		{"an origin with a path", "localhost", []string{"https://app.example/x"}, false},
		{"two", "localhost", []string{"https://a.example", "https://b.example"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
			r.Host = tt.host
			r.Header["Origin"] = tt.origins
			if got := h.allow(r); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
		not  string
	}{
		{"advice", fmt.Errorf("x: %w", advice("Do this.")), "Do this.", "x:"},
		{"wrong key", &client.Error{Status: 401, Message: "Unauthorized"}, "MAILKIN_API_KEY", ""},
		{"paused", &client.Error{Status: 403, Code: "mailbox_paused", Message: "Mailbox is paused"}, "resumes it", ""},
		{"temporary", &client.Error{Status: 403, Code: "provisional_capability_denied", Message: "No.",
			Upgrade: &api.Upgrade{Command: "mailkin claim", URL: "https://m.example/claim"}},
			`"mailkin claim" or to open https://m.example/claim.`, ""},
		{"not allowed", &client.Error{Status: 403, Message: "No"}, "No. Tell your user", ""},
		{"no temporary mailboxes", &client.Error{Status: 404, Code: "bootstrap_disabled", Message: "No."},
			"MAILKIN_API_KEY", "get_inbox"},
		{"not there", &client.Error{Status: 404, Message: "Email not found"}, "get_inbox", ""},
		{"soon", &client.Error{Status: 429, Message: "Slow down.", RetryAfter: 7 * time.Second}, "in 7 seconds", ""},
		{"tomorrow", &client.Error{Status: 429, Message: "Daily send limit reached (100/100)",
			RetryAfter: 3 * time.Hour, Fields: map[string]any{"resets_at": "2026-03-03T00:00:00.000Z"}},
			"2026-03-03T00:00:00.000Z", ""},
		{"sometime", &client.Error{Status: 429, Message: "Limit."}, "later", ""},
		{"a field of another name", &client.Error{Status: 413,
			Message: `The field "text" is too large: at most 500000 bytes are taken.`},
			"The argument body is too large", "text\""},
		{"a parameter of another name", &client.Error{Status: 400, Message: "The parameter id is missing."},
			"The argument email_id is missing", ""},
		{"busy", &client.Error{Status: 503, Message: "Busy"}, "in a moment", ""},
		{"full", &client.Error{Status: 507, Message: "Full"}, "Delete messages", ""},
		{"broken", &client.Error{Status: 500, Message: "Internal server error", RequestID: "abc"}, "abc", ""},
		{"silent", &client.Error{Status: 500}, "status 500", ""},
		{"no answer", errors.New("dial tcp 10.0.0.7:25: refused"), "does not answer", "10.0.0.7"},
		{"ended", context.Canceled, "Call again", ""},
		{"too large", fmt.Errorf("x: %w", client.ErrTooLarge), "Ask for less", ""},
		{"another service", client.ErrNotMail, "MAILKIN_URL", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := explain(tt.err).Error()
			if !strings.Contains(got, tt.want) || tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("said %q", got)
			}
		})
	}
}

// The interface in the same process is asked as over a wire: with the caller's key and address, and streams that end
// with whoever reads them.
func TestLocal(t *testing.T) {
	from := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	from.Host, from.RemoteAddr = "mail.example", "192.0.2.7:1234"
	from.Header.Set("Authorization", "Bearer theirs")
	ended := make(chan struct{}, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/who", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusTeapot)
		_, _ = fmt.Fprintf(w, "%s %s %s %s", r.Header.Get("Authorization"), r.RemoteAddr, r.Host, body)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				ended <- struct{}{}
				return
			}
		}
	})
	mux.HandleFunc("/hangs", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done(); ended <- struct{}{} })
	mux.HandleFunc("/breaks", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/half", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	})
	ask := func(ctx context.Context, path string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x"+path, strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer ours")
		return local{mux, from}.RoundTrip(req)
	}
	t.Run("who", func(t *testing.T) {
		resp, err := ask(t.Context(), "/who")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want := "Bearer theirs 192.0.2.7:1234 mail.example body"; err != nil ||
			resp.StatusCode != http.StatusTeapot || string(body) != want {
			t.Errorf("%d %q, %v", resp.StatusCode, body, err)
		}
	})
	t.Run("endless", func(t *testing.T) {
		resp, err := ask(t.Context(), "/endless")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, resp.Body); !errors.Is(err, client.ErrTooLarge) || n > answerLimit {
			t.Errorf("%d bytes, %v", n, err)
		}
		_ = resp.Body.Close()
		<-ended
	})
	t.Run("not read", func(t *testing.T) {
		resp, err := ask(t.Context(), "/endless")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		<-ended
	})
	t.Run("hangs", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(0, cancel)
		if _, err := ask(ctx, "/hangs"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		<-ended
	})
	t.Run("breaks", func(t *testing.T) {
		if _, err := ask(t.Context(), "/breaks"); !errors.Is(err, errAborted) {
			t.Error(err)
		}
	})
	t.Run("breaks in the middle", func(t *testing.T) {
		resp, err := ask(t.Context(), "/half")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, errAborted) {
			t.Error(err)
		}
		_ = resp.Body.Close()
	})
}
