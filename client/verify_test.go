package client

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The signatures were made with openssl: of "msg_1.1767225600.<body>", and of the body.
func TestVerify(t *testing.T) {
	const (
		secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
		body   = `{"event":"message.received","email_id":"e1","subject":"Hello"}`
	)
	sent := time.Unix(1767225600, 0)
	header := func(edit ...string) http.Header {
		h := http.Header{"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {"1767225600"},
			"Webhook-Signature":   {"v1,h5YXw26aZ09WOUlHWk6Scs7jzYlaRxU9I1LQJISdVI0="},
			"X-Webhook-Signature": {"sha256=aa8ddbd1ba17409a0a6476e59ccd15c62e3905fe548c5c3e8ffff7afafc76a95"}}
		if len(edit) == 2 {
			h.Set(edit[0], edit[1])
		}
		return h
	}
	for _, row := range []struct {
		name, secret, body string
		header             http.Header
		now                time.Time
		ok                 bool
	}{
		{"genuine", secret, body, header(), sent, true},
		{"a little late", secret, body, header(), sent.Add(WebhookTolerance), true},
		{"one of several", secret, body, header("Webhook-Signature",
			"v1,AAAA v2,x v1,h5YXw26aZ09WOUlHWk6Scs7jzYlaRxU9I1LQJISdVI0="), sent, true},
		{"too late", secret, body, header(), sent.Add(WebhookTolerance + time.Second), false},
		{"too early", secret, body, header(), sent.Add(-WebhookTolerance - time.Second), false},
		{"another body", secret, body + " ", header(), sent, false},
		{"another id", secret, body, header("Webhook-Id", "msg_2"), sent, false},
		{"another time", secret, body, header("Webhook-Timestamp", "1767225601"), sent, false},
		{"no time", secret, body, header("Webhook-Timestamp", ""), sent, false},
		{"a time without end", secret, body, header("Webhook-Timestamp", "9223372036854775807"), sent, false},
		{"no signature", secret, body, header("Webhook-Signature", ""), sent, false},
		{"another secret", "whsec_AAAA", body, header(), sent, false},
		{"no secret", "whsec_", body, header(), sent, false},
		{"a secret that is none", "whsec_!", body, header(), sent, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			e, err := VerifyWebhook(row.secret, row.header, []byte(row.body), row.now)
			if row.ok && (err != nil || e.EmailID != "e1" || e.ID != "msg_1") ||
				!row.ok && !errors.Is(err, ErrSignature) {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
	for _, row := range []struct {
		name, secret, body string
		header             http.Header
		ok                 bool
	}{
		{"genuine", "deployment", body, header(), true},
		{"another body", "deployment", body + " ", header(), false},
		{"another secret", "Deployment", body, header(), false},
		{"no secret", "", body, header(), false},
		{"no signature", "deployment", body, http.Header{}, false},
		{"not hexadecimal", "deployment", body, header("X-Webhook-Signature", "sha256=x"), false},
	} {
		t.Run("of the body: "+row.name, func(t *testing.T) {
			e, err := VerifySignature(row.secret, row.header, []byte(row.body))
			if row.ok && (err != nil || e.EmailID != "e1") || !row.ok && !errors.Is(err, ErrSignature) {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
	long := httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat(" ", webhookLimit+1)))
	if _, err := ReadWebhook(long, secret); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
