package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/service"
)

// Whatever is sent, the answer is one of ours: never a panic, never a 500.
func FuzzRequest(f *testing.F) {
	f.Add(uint8(0), "limit=5&offset=1&since=2026-01-02T03:04:05Z", "")
	f.Add(uint8(3), "id="+fakeID.String(), `{"seen":true,"add_labels":["a"],"remove_labels":[]}`)
	f.Add(uint8(2), "mailbox=%00&to=x", `{"webhook_url":null}`)
	f.Add(uint8(9), "cursor=x&limit=1e3", `{"name":"\ud800","address":[]}`)
	f.Add(uint8(12), "id=%zz;;&&==", `{"a":{"a":[[[{}]]]}}{}`)
	for i, r := range routes {
		if r.body == draft || r.body == signed {
			f.Add(uint8(i), "", `{"to":["a@x"],"attachments":[{"content":"YQ==","filename":"x"}],"headers":{"X-A":"b"},"tags":[{"name":"a"}],"send_at":"2026-01-02T03:04:05Z"}`)
		}
	}
	svc := &fake{preview: new(service.Preview)}
	api, log := newAPI(svc)
	f.Fuzz(func(t *testing.T, which uint8, query, body string) {
		*svc = fake{preview: new(service.Preview)}
		log.Reset()
		route := routes[int(which)%len(routes)]
		r := httptest.NewRequest(route.method, "/", strings.NewReader(body))
		r.URL.Path = strings.NewReplacer("{address}", otherAddress, "{id}", fakeID.String()).Replace(route.paths()[0])
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+keyOperator)
		r.Header.Set("Content-Type", "application/json")
		if route.body == signed {
			for _, line := range sign(resendSecret, "svix", "1", time.Now(), body) {
				name, value, _ := strings.Cut(line, ": ")
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusNotImplemented || log.Len() > 0 {
			t.Errorf("%s %s?%s %q: %d %s; log %s", route.method, route.path, query, body, w.Code, w.Body, log)
		}
		checkEvery(t, w.Result(), "")
	})
}
