package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

const (
	resendSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
	otherSecret  = "whsec_ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm"
)

// sign returns the headers of a signed callback, which are named with a prefix.
func sign(secret, prefix, id string, at time.Time, body string) []string {
	stamp := strconv.FormatInt(at.Unix(), 10)
	return []string{prefix + "-id: " + id, prefix + "-timestamp: " + stamp, prefix + "-signature: " + signed1(secret,
		id, stamp, body)}
}

// signed1 is one signature of the first version of the scheme.
func signed1(secret, id, stamp, body string) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// The example in the documentation of the scheme, so that not only our own signatures fit.
func TestKnownSignature(t *testing.T) {
	key := newCallbackKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", nil)
	s := signature{id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: "1614265330",
		values: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}
	if !key.signed(s, []byte(`{"test": 2432232314}`)) {
		t.Error("refused")
	}
}

const resendPath = "/v1/providers/resend"

func TestResendCallbacks(t *testing.T) {
	callback := func(name, body string, status int, want *service.ProviderWord) scenario {
		s := scenario{name: name, method: post, path: resendPath, key: "-", body: body, status: status,
			header: sign(resendSecret, "svix", "msg_1", time.Now(), body)}
		if status == 200 {
			s.exact = `{"ok":true}`
		}
		s.check = func(t *testing.T, f *fake) {
			t.Helper()
			var heard *service.ProviderWord
			if p, ok := f.asked.(service.ProviderWord); ok {
				heard = &p
			}
			if diff := cmp.Diff(want, heard); diff != "" {
				t.Error(diff)
			}
		}
		return s
	}
	word := func(w mailbox.Word, hard bool) *service.ProviderWord {
		return &service.ProviderWord{Provider: "re_1", Word: w, Hard: hard}
	}
	failing := callback("the store fails", `{"type":"email.delivered","data":{"email_id":"re_1"}}`, 500,
		word(mailbox.Word{Status: mailbox.Delivered}, false))
	failing.svc.err = errors.New("disk x")
	failing.lacks = []string{"disk"}
	runAll(t, []scenario{
		callback("delivered", `{"type":"email.delivered","created_at":"2026-03-04T05:06:07.000Z","data":{"email_id":"re_1","to":["a@x.example"]}}`, 200,
			word(mailbox.Word{Status: mailbox.Delivered}, false)),
		callback("bounced", `{"type":"email.bounced","data":{"email_id":"re_1","to":"a@x.example","bounce":{"type":"Permanent","subType":"General","message":"No."}}}`, 200,
			word(mailbox.Word{Status: mailbox.Bounced, Bounce: "hard", Reason: "No."}, true)),
		callback("bounced for now", `{"type":"email.bounced","data":{"email_id":"re_1","to":["a@x.example"],"bounce":{"type":"Transient","message":"Full."}}}`, 200,
			word(mailbox.Word{Status: mailbox.Bounced, Bounce: "soft", Reason: "Full."}, false)),
		callback("complained", `{"type":"email.complained","data":{"email_id":"re_1","to":["a@x.example"]}}`, 200,
			word(mailbox.Word{Status: mailbox.Complained}, false)),
		callback("delayed", `{"type":"email.delivery_delayed","data":{"email_id":"re_1"}}`, 200,
			word(mailbox.Word{Status: mailbox.Delayed}, false)),
		callback("sent", `{"type":"email.sent","data":{"email_id":"re_1"}}`, 200,
			word(mailbox.Word{Status: mailbox.Sent}, false)),
		callback("failed", `{"type":"email.failed","data":{"email_id":"re_1","failed":{"reason":"quota"}}}`, 200,
			word(mailbox.Word{Status: mailbox.Failed, Bounce: "soft", Reason: "quota"}, false)),
		callback("opened", `{"type":"email.opened","data":{"email_id":"re_1"}}`, 200, nil),
		callback("something else", `{"type":"contact.created","data":{"id":"1"}}`, 200, nil),
		callback("no message", `{"type":"email.delivered","data":{"to":["a@x.example"]}}`, 400, nil),
		callback("a message that is none", `{"type":"email.delivered","data":{"email_id":"\u0000"}}`, 400, nil),
		callback("wrong type", `{"type":"email.delivered","data":{"email_id":7}}`, 400, nil),
		callback("no object", `[]`, 400, nil),
		callback("no JSON", `{"type":`, 400, nil),
		failing,
	})
}

func TestForgedCallbacks(t *testing.T) {
	const body = `{"type":"email.bounced","data":{"email_id":"re_1","bounce":{"type":"Permanent"}}}`
	now := time.Now()
	stamp := strconv.FormatInt(now.Unix(), 10)
	good := strings.TrimPrefix(sign(resendSecret, "svix", "1", now, body)[2], "svix-signature: ")
	with := func(id, stamp, signature string) []string {
		return []string{"svix-id: " + id, "svix-timestamp: " + stamp, "svix-signature: " + signature}
	}
	other := signed1(otherSecret, "1", stamp, body)
	empty := "v1," + base64.StdEncoding.EncodeToString(hmac.New(sha256.New, nil).Sum(nil))
	secret := func(s mailbox.Secret) func(*Config, *http.Request) {
		return func(c *Config, _ *http.Request) { c.ResendSecret = s }
	}
	unknown := `{"error":"There is nothing at this address.","code":"not_found"}`
	rows := []scenario{
		{name: "as it should be", header: with("1", stamp, good), status: 200},
		{name: "by the alias", path: "/api/providers/resend", header: with("1", stamp, good), status: 200},
		{name: "by the other names", header: sign(resendSecret, "webhook", "1", now, body), status: 200},
		{name: "with any key", key: "wrong", header: with("1", stamp, good), status: 200},
		{name: "one of several", header: with("1", stamp, "v1a,x v2,y "+other+" "+good+" v1,"), status: 200},
		{name: "a secret without padding", header: with("1", stamp, signed1("whsec_MDE=", "1", stamp, body)),
			setup: secret(" whsec_MDE "), status: 200},
		{name: "nothing", status: 401},
		{name: "no id", header: with("", stamp, good), status: 401},
		{name: "no time", header: with("1", "", good), status: 401},
		{name: "no signature", header: with("1", stamp, ""), status: 401},
		{name: "another id", header: with("2", stamp, good), status: 401},
		{name: "another time", header: with("1", strconv.FormatInt(now.Unix()-1, 10), good), status: 401},
		{name: "a time that is none", header: with("1", "now", signed1(resendSecret, "1", "now", body)), status: 401},
		{name: "another secret", header: with("1", stamp, other), status: 401},
		{name: "no version", header: with("1", stamp, strings.TrimPrefix(good, "v1,")), status: 401},
		{name: "another version", header: with("1", stamp, "v2"+strings.TrimPrefix(good, "v1")), status: 401},
		{name: "of nothing", header: with("1", stamp, empty), status: 401},
		{name: "cut off", header: with("1", stamp, good[:20]), status: 401},
		{name: "old", header: sign(resendSecret, "svix", "1", now.Add(-time.Hour), body), status: 401},
		{name: "another body", header: with("1", stamp, good), body: body + " ", status: 401},
		{name: "the secret is rubbish", header: with("1", stamp, good), setup: secret("whsec_***"), status: 401},
		{name: "the secret is a prefix", header: with("1", stamp, signed1("whsec_", "1", stamp, body)),
			setup: secret("whsec_"), status: 401},
		{name: "no secret", header: with("1", stamp, good), setup: secret(""), status: 404, exact: unknown},
		{name: "no secret and no signature", setup: secret(""), status: 404, exact: unknown},
		{name: "not JSON", header: append(with("1", stamp, good), "Content-Type: text/plain"), status: 415},
		{name: "too large", header: with("1", stamp, good), body: strings.Repeat(" ", objectLimit+1), status: 413},
	}
	for i := range rows {
		s := &rows[i]
		s.method = post
		if s.path == "" {
			s.path = resendPath
		}
		if s.key == "" {
			s.key = "-"
		}
		if s.body == "" {
			s.body = body
		}
		if s.status == 401 {
			s.exact = wire.Unauthorized
		}
		heard := s.status == 200
		s.check = func(t *testing.T, f *fake) {
			if got := f.asked != nil; got != heard {
				t.Errorf("heard: %v", got)
			}
		}
	}
	runAll(t, rows)
}

// A callback is taken for five minutes, and from clocks that are as much ahead.
func TestCallbackTime(t *testing.T) {
	for _, tt := range []struct {
		age  time.Duration
		want int
	}{{-301 * time.Second, 401}, {-300 * time.Second, 200}, {0, 200}, {300 * time.Second, 200},
		{301 * time.Second, 401}} {
		synctest.Test(t, func(t *testing.T) {
			at := time.Now()
			s := scenario{method: post, path: resendPath, key: "-", body: "{}", header: sign(resendSecret, "svix", "1",
				at, "{}")}
			if tt.age < 0 {
				s.header = sign(resendSecret, "svix", "1", at.Add(-tt.age), "{}")
			} else {
				time.Sleep(tt.age)
			}
			api, _ := newAPI(&fake{})
			w := httptest.NewRecorder()
			api.ServeHTTP(w, s.request())
			if w.Code != tt.want {
				t.Errorf("%v: %d", tt.age, w.Code)
			}
		})
	}
}

// What is wrong with the secret is told when the service starts, without the secret.
func TestWrongSecretIsLogged(t *testing.T) {
	log := new(strings.Builder)
	cfg := newConfig(log)
	cfg.ResendSecret = "not*base64"
	New(&fake{}, cfg)
	if s := log.String(); !strings.Contains(s, "level=ERROR") || strings.Contains(s, "not*base64") {
		t.Error(s)
	}
}
