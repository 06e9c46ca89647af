package test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	providerKey    = "re_key_of_the_provider"
	providerSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
	callbackPath   = "/v1/providers/resend"
)

// provider is a service that sends mail for others, over HTTP.
type provider struct {
	*httptest.Server

	mu      sync.Mutex
	refuse  int // the next requests are answered with 500 after they were carried out
	asked   []providerCall
	carried map[string]string // id by Idempotency-Key
}

// providerCall is a request to it.
type providerCall struct {
	path, auth, kind, key string
	mail                  struct {
		From        string
		To          []string
		Cc          []string
		Bcc         []string
		ReplyTo     []string `json:"reply_to"`
		Subject     string
		Text        string
		HTML        string
		Headers     map[string]string
		Attachments []struct {
			Filename    string
			Content     []byte
			ContentType string `json:"content_type"`
		}
	}
	wrong error
}

func startProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{carried: map[string]string{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	c := providerCall{path: r.Method + " " + r.URL.Path, auth: r.Header.Get("Authorization"),
		kind: r.Header.Get("Content-Type"), key: r.Header.Get("Idempotency-Key")}
	c.wrong = json.NewDecoder(r.Body).Decode(&c.mail)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, c)
	if p.carried[c.key] == "" {
		p.carried[c.key] = fmt.Sprintf("provider-%d", len(p.carried))
	}
	if p.refuse > 0 {
		p.refuse--
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":%q}`, p.carried[c.key])
}

// calls gives the requests up to now.
func (p *provider) calls() []providerCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// callback tells the server something about a message, signed with a secret.
func callback(t *testing.T, srv *server, secret, body string) answer {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	stamp := fmt.Sprint(time.Now().Unix())
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("msg_1." + stamp + "." + body))
	return srv.ask(t, request{method: "POST", path: callbackPath, body: body, header: http.Header{
		"Svix-Id": {"msg_1"}, "Svix-Timestamp": {stamp},
		"Svix-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))}}})
}

// said is the body of a callback.
func said(kind, id, to, more string) string {
	return fmt.Sprintf(`{"type":"email.%s","created_at":"2026-03-04T05:06:07.000Z","data":{"email_id":%q,"to":[%q]%s}}`,
		kind, id, to, more)
}

// A provider gets each message once, whole, and what it says later becomes events; what others say in its name does
// not.
func TestSendResend(t *testing.T) {
	t.Parallel()
	p := startProvider(t)
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=resend://"+providerKey, "MAILKIN_RESEND_URL="+p.URL,
		"MAILKIN_RESEND_WEBHOOK_SECRET="+providerSecret)
	b := srv.mailbox(t, "robin")
	file := randomBytes(50_000, 5)
	s := b.send(t, draft{"to": []string{"Ann <ann@example.com>", "bob@example.com"}, "cc": "cy@example.com",
		"bcc": "dee@example.com", "subject": "Grüße",
		"text": "Hello ü", "html": "<p>Hello ü</p>", "reply_to": "elsewhere@example.com",
		"headers": draft{"X-Tag": "one"},
		"attachments": []any{draft{"filename": "größe.bin", "content": base64.StdEncoding.EncodeToString(file),
			"content_type": "application/x-test"}}})
	b.delivery(t, s.ID, "sent")
	p.wantAll(t, b.address, s.MessageID, file, `"Ann" <ann@example.com>`, "bob@example.com", "cy@example.com",
		"dee@example.com")
	told := callbacks(t, p, b, s.ID)
	wantTold(t, told, s.ID, "sent ann@example.com", "delivered ann@example.com", "bounced bob@example.com",
		"delivered cy@example.com", "complained cy@example.com")
	var status []string
	for _, d := range b.outgoing(t, s.ID).Deliveries {
		status = append(status, d.Recipient+" "+d.Status)
	}
	if want := []string{"ann@example.com delivered", "bob@example.com bounced", "cy@example.com complained",
		"dee@example.com sent"}; !slices.Equal(status, want) {
		t.Errorf("the deliveries are %q", status)
	}
	if got := b.suppressed(t); !slices.Equal(got, []string{"bob@example.com bounce", "cy@example.com complaint"}) {
		t.Errorf("suppressed: %q", got)
	}
}

// wantAll wants the provider to have got the message of the test once for each recipient, from an address and with an
// attachment.
func (p *provider) wantAll(t *testing.T, from, messageID string, file []byte, to ...string) {
	t.Helper()
	var got []string
	keys := map[string]bool{}
	for _, c := range p.calls() {
		if c.wrong != nil || c.path != "POST /emails" || c.auth != "Bearer "+providerKey ||
			c.kind != "application/json" || c.key == "" || keys[c.key] {
			t.Errorf("asked %+v", c)
		}
		keys[c.key] = true
		m := c.mail
		got = append(got, strings.Join(m.To, ", "))
		if m.From != from || len(m.Cc) > 0 || len(m.Bcc) > 0 ||
			!slices.Equal(m.ReplyTo, []string{"elsewhere@example.com"}) {
			t.Errorf("addressed %+v", m)
		}
		if m.Subject != "Grüße" || strings.TrimSpace(m.Text) != "Hello ü" ||
			strings.TrimSpace(m.HTML) != "<p>Hello ü</p>" || m.Headers["X-Tag"] != "one" ||
			m.Headers["Message-ID"] != messageID {
			t.Errorf("wrote %+v %q", m, m.Headers)
		}
		if len(m.Attachments) != 1 || m.Attachments[0].Filename != "größe.bin" ||
			m.Attachments[0].ContentType != "application/x-test" {
			t.Errorf("attached %d", len(m.Attachments))
			continue
		}
		sameBytes(t, m.Attachments[0].Content, file)
	}
	slices.Sort(got)
	if !slices.Equal(got, to) {
		t.Errorf("sent to %q, want %q", got, to)
	}
}

// idOf is the provider's id of the message to a recipient.
func (p *provider) idOf(to string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.asked {
		if strings.Contains(strings.Join(c.mail.To, " "), to) {
			return p.carried[c.key]
		}
	}
	return ""
}

// callbacks says what a provider says about its messages, and what others say in its name, and returns the events.
func callbacks(t *testing.T, p *provider, b box, message string) []outcome {
	t.Helper()
	ann, bob, cy := p.idOf("ann@example.com"), p.idOf("bob@example.com"), p.idOf("cy@example.com")
	for i, tt := range []struct {
		name, secret, body string
		status             int
	}{
		{"forged", "whsec_ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm", said("bounced", ann, "ann@example.com", ""), 401},
		{"another message", providerSecret, said("bounced", "provider-9", "ann@example.com", ""), 404},
		{"delayed", providerSecret, said("delivery_delayed", ann, "ann@example.com", ""), 200},
		{"delivered", providerSecret, said("delivered", ann, "ann@example.com", ""), 200},
		{"delivered again", providerSecret, said("delivered", ann, "ann@example.com", ""), 200},
		{"delayed too late", providerSecret, said("delivery_delayed", ann, "ann@example.com", ""), 200},
		{"bounced", providerSecret, said("bounced", bob, "bob@example.com",
			`,"bounce":{"type":"Permanent","subType":"General","message":"No such user"}`), 200},
		{"delivered", providerSecret, said("delivered", cy, "cy@example.com", ""), 200},
		{"complained", providerSecret, said("complained", cy, "cy@example.com", ""), 200},
	} {
		if a := callback(t, b.srv, tt.secret, tt.body); a.status != tt.status {
			t.Errorf("%s: %d %s", tt.name, a.status, a.body)
		}
		if d := b.outgoing(t, message).Deliveries[0]; i == 2 && d.Status != "delivery_delayed" {
			t.Errorf("%s: the delivery is %+v", tt.name, d)
		}
	}
	if a := b.srv.ask(t, request{method: "POST", path: callbackPath, body: said("bounced", ann, "ann@example.com",
		"")}); a.status != 401 {
		t.Errorf("not signed: %d %s", a.status, a.body)
	}
	return b.log(t, 0)
}

// A provider that fails is asked again with the same key, so that what it has carried out is not carried out twice.
func TestSendResendAgain(t *testing.T) {
	t.Parallel()
	p := startProvider(t)
	p.refuse = 2
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=resend://"+providerKey, "MAILKIN_RESEND_URL="+p.URL)
	b := srv.mailbox(t, "robin")
	s := b.send(t, note("twice", "ann@example.com"))
	for n := 1; n <= 2; n++ {
		eventually(t, func() error {
			if d := b.outgoing(t, s.ID).Deliveries[0]; d.Attempts != n || d.NextAt == nil {
				return fmt.Errorf("the delivery is %+v", d)
			}
			return nil
		})
		b.hasten(t)
	}
	b.delivery(t, s.ID, "sent")
	calls := p.calls()
	if len(calls) != 3 || calls[0].key != calls[1].key || calls[0].key != calls[2].key || len(p.carried) != 1 {
		t.Errorf("asked %d times with %d keys", len(calls), len(p.carried))
	}
	if a := callback(t, srv, providerSecret, said("bounced", "provider-0", "ann@example.com",
		"")); a.status != http.StatusNotFound {
		t.Errorf("a callback where there is no secret: %d %s", a.status, a.body)
	}
}
