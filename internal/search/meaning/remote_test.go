package meaning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// asked is a request as the endpoint saw it.
type asked struct {
	path, query, key string
	body             struct {
		Input []string
		Model *string
	}
}

// endpoint answers by what answer returns, and remembers what it was asked.
func endpoint(t *testing.T, answer func(asked, http.ResponseWriter)) (address string, requests *[]asked) {
	t.Helper()
	requests = new([]asked)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := asked{path: r.URL.Path, query: r.URL.RawQuery, key: r.Header.Get("Authorization")}
		if err := json.NewDecoder(r.Body).Decode(&a.body); err != nil {
			t.Error(err)
		}
		*requests = append(*requests, a)
		answer(a, w)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), requests
}

// lengths answers with two dimensions for each text, the last text first: its length, and minus its length.
func lengths(a asked, w http.ResponseWriter) {
	var data []string
	for i, text := range a.body.Input {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,%d.5e0]}`, i, len(text),
			-len(text)))
	}
	slices.Reverse(data)
	fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"other"}`, strings.Join(data, ","))
}

func TestRemoteURL(t *testing.T) {
	for _, tt := range []struct {
		name, before, after          string // of the host in the URL
		path, query, key, model, own string
	}{
		{"bare host", "", "", "/v1/embeddings", "", "", "", "HOST/v1/embeddings"},
		{"slash", "", "/", "/v1/embeddings", "", "", "", "HOST/v1/embeddings"},
		{"base", "", "/openai/v1/", "/openai/v1/embeddings", "", "", "", "HOST/openai/v1/embeddings"},
		{"whole path", "", "/api/embed", "/api/embed", "", "", "", "HOST/api/embed"},
		{"key", "sk-1@", "", "/v1/embeddings", "", "Bearer sk-1", "", "HOST/v1/embeddings"},
		{"key as password", "user:sk-2@", "", "/v1/embeddings", "", "Bearer sk-2", "", "HOST/v1/embeddings"},
		{"model", "", "?model=bge-m3", "/v1/embeddings", "", "", "bge-m3", "bge-m3"},
		{"other parameters", "k@", "/v1?api-version=3&model=a%2Fb", "/v1/embeddings", "api-version=3", "Bearer k",
			"a/b", "a/b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, requests := endpoint(t, lengths)
			r, err := NewRemote("http://"+tt.before+host+tt.after, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Vectors(t.Context(), []string{"one"}); err != nil {
				t.Fatal(err)
			}
			got := (*requests)[0]
			if got.path != tt.path || got.query != tt.query || got.key != tt.key {
				t.Errorf("path %q, query %q, key %q", got.path, got.query, got.key)
			}
			if model := got.body.Model; (model == nil) != (tt.model == "") || model != nil && *model != tt.model {
				t.Errorf("model %v, want %q", model, tt.model)
			}
			if want := strings.Replace(tt.own, "HOST", host, 1); r.Model() != want {
				t.Errorf("name %q, want %q", r.Model(), want)
			}
			if shown := fmt.Sprintf("%v %+v %s", r, r, r); strings.Contains(shown, "sk-") {
				t.Errorf("the key is shown: %s", shown)
			}
		})
	}
}

func TestRemoteRefusesURLs(t *testing.T) {
	for _, raw := range []string{"", "host", "ftp://sk-1@host/", "http://", "https:///v1", "http://sk-1@ho st/",
		"http://sk-1@host/?a=%zz"} {
		if _, err := NewRemote(raw, nil); err == nil || strings.Contains(err.Error(), "sk-1") {
			t.Errorf("%q: error %v", raw, err)
		}
	}
}

// Many texts go in several requests, answers may come in any order, and a blank text is not sent.
func TestRemoteBatches(t *testing.T) {
	host, requests := endpoint(t, lengths)
	r, err := NewRemote("http://"+host, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range 70 {
		texts = append(texts, strings.Repeat("x", i%7*1000)) // every seventh is blank
	}
	texts[1] = strings.Repeat("y", maxRemoteText-1) + "é"
	vectors, err := r.Vectors(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(*requests) != 2 || len((*requests)[0].body.Input) != batch ||
		len((*requests)[0].body.Input[0]) != maxRemoteText-1 {
		t.Errorf("%d requests", len(*requests))
	}
	for i, v := range vectors {
		switch {
		case texts[i] == "" && v != nil, texts[i] != "" && (v.Dims() != 2 || !v.Valid()):
			t.Errorf("text %d: vector %d", i, v)
		case texts[i] != "" && (int8(v[head]) < 126 || int8(v[head+1]) != -127):
			t.Errorf("text %d: vector %d", i, v[head:])
		}
	}
}

func TestRemoteAnswersThatAreNone(t *testing.T) {
	many := strings.Repeat("1,", MaxDims) + "1"
	for _, tt := range []struct {
		name, body string
		status     int
		temporary  bool
	}{
		{"not found", "", 404, false},
		{"redirect", "", 302, false},
		{"too many", "", 429, true},
		{"broken", "", 503, true},
		{"no JSON", "<html>", 200, false},
		{"cut off", `{"data":[{"index":0,"embedding":[1,`, 200, false},
		{"no vectors", `{"data":[]}`, 200, false},
		{"one for two", `{"data":[{"index":0,"embedding":[1]}]}`, 200, false},
		{"the same twice", `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, 200, false},
		{"number out of range", `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`, 200, false},
		{"negative number", `{"data":[{"index":0,"embedding":[1]},{"index":-1,"embedding":[1]}]}`, 200, false},
		{"no dimensions", `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, 200, false},
		{"different sizes", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, 200, false},
		{"too large", `{"data":[{"index":0,"embedding":[` + many + `]},{"index":1,"embedding":[` + many + `]}]}`, 200,
			false},
		{"not finite", `{"data":[{"index":0,"embedding":[1e99]},{"index":1,"embedding":[1]}]}`, 200, false},
		{"endless", `{"data":[{"index":0,"embedding":[` + strings.Repeat(" ", maxAnswer) +
			`1]},{"index":1,"embedding":[1]}]}`, 200, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, _ := endpoint(t, func(_ asked, w http.ResponseWriter) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			})
			r, err := NewRemote("http://sk-1@"+host, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = r.Vectors(t.Context(), []string{"one", "two"})
			var status *StatusError
			switch {
			case err == nil || strings.Contains(err.Error(), "sk-1"):
				t.Errorf("error %v", err)
			case tt.status == 200 && !errors.Is(err, errAnswer):
				t.Errorf("error %v", err)
			case tt.status != 200 && (!errors.As(err, &status) || status.Code != tt.status ||
				status.Temporary() != tt.temporary):
				t.Errorf("error %v", err)
			}
		})
	}
}

// silent is an endpoint that takes a request and says nothing.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestRemoteDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := NewRemote("http://silent.example", silent{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Vectors(t.Context(), []string{"one"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func FuzzRemoteAnswer(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[0,-3e38]}]}`, 2)
	f.Fuzz(func(t *testing.T, body string, n int) {
		vectors, err := readAnswer(strings.NewReader(body), n&0xff)
		for _, v := range vectors {
			if err != nil || !v.Valid() {
				t.Errorf("vector %d, error %v", v, err)
			}
		}
	})
}
