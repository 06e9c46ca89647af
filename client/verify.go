package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
)

// WebhookTolerance is how far the time of a webhook may be from now, so that an old one cannot be posted again.
const WebhookTolerance = 5 * time.Minute

// webhookLimit is the most bytes of a posted event that are read.
const webhookLimit = 1 << 20

// ReadWebhook reads the event of a request that a webhook posted, and tells whether it is genuine: ErrSignature means
// that it is not, and that 401 is the answer. The secret is that of Client.WebhookSecret. Events can come twice:
// Event.ID is then the same.
func ReadWebhook(r *http.Request, secret string) (*api.Event, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, webhookLimit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the webhook: %w", err)
	case len(body) > webhookLimit:
		return nil, fmt.Errorf("the webhook has more than %d bytes: %w", webhookLimit, ErrTooLarge)
	}
	return VerifyWebhook(secret, r.Header, body, time.Now())
}

// VerifyWebhook checks the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks) of an event
// that was posted, and returns the event. The body is that of the request, to the byte. ErrSignature: it is not
// genuine, or it is more than WebhookTolerance from now.
func VerifyWebhook(secret string, h http.Header, body []byte, now time.Time) (*api.Event, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, fmt.Errorf("%w: the secret is not a whsec_ one", ErrSignature)
	}
	id, sent := h.Get("Webhook-Id"), h.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || id == "" {
		return nil, fmt.Errorf("%w: it has no id or no time", ErrSignature)
	}
	if age := now.Unix() - seconds; age > tolerance || age < -tolerance {
		return nil, fmt.Errorf("%w: it is of another time", ErrSignature)
	}
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%s.", id, sent) // a hash takes everything
	mac.Write(body)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Fields(h.Get("Webhook-Signature")) {
		if hmac.Equal([]byte(given), want) {
			return readEvent(body, id)
		}
	}
	return nil, ErrSignature
}

const tolerance = int64(WebhookTolerance / time.Second)

// VerifySignature checks the header X-Webhook-Signature of an event that was posted, for those who have the
// deployment's WEBHOOK_SECRET. It covers the body alone: anyone who has seen an event can post it again.
func VerifySignature(secret string, h http.Header, body []byte) (*api.Event, error) {
	given, err := hex.DecodeString(strings.TrimPrefix(h.Get("X-Webhook-Signature"), "sha256="))
	if secret == "" || err != nil {
		return nil, ErrSignature
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return nil, ErrSignature
	}
	return readEvent(body, h.Get("Webhook-Id"))
}

func readEvent(body []byte, id string) (*api.Event, error) {
	e := &api.Event{ID: id}
	if err := json.Unmarshal(body, e); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	return e, nil
}
