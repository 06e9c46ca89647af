package httpapi

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// signatureAge is how far the time of a signed callback may be from ours, either way.
const signatureAge = 5 * time.Minute

// callbackKey is what a provider signs its callbacks with, by the scheme of Standard Webhooks, which began as Svix's.
type callbackKey struct{ key []byte } // empty: nothing is signed with it

// newCallbackKey reads a secret as providers show it. Without one it is nil.
func newCallbackKey(secret mailbox.Secret, log *slog.Logger) *callbackKey {
	if secret == "" {
		return nil
	}
	text := strings.TrimRight(strings.TrimPrefix(strings.TrimSpace(string(secret)), "whsec_"), "=")
	key, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(key) == 0 {
		log.Error("the secret of the provider's callbacks is not whsec_ and base64: all of them will be refused")
		return &callbackKey{}
	}
	return &callbackKey{key}
}

// signature is what a callback says about itself.
type signature struct {
	id, time string
	values   string // several, with spaces: a secret that is being changed has two
}

// signatureOf reads the headers of a callback, and tells whether all are there.
func signatureOf(h http.Header) (signature, bool) {
	for _, prefix := range []string{"Svix-", "Webhook-"} {
		s := signature{h.Get(prefix + "Id"), h.Get(prefix + "Timestamp"), h.Get(prefix + "Signature")}
		if s.id != "" && s.time != "" && s.values != "" {
			return s, true
		}
	}
	return signature{}, false
}

// isFresh tells whether it was signed just now.
func (s signature) isFresh(now time.Time) bool {
	seconds, err := strconv.ParseInt(s.time, 10, 64)
	if err != nil {
		return false
	}
	return seconds >= now.Add(-signatureAge).Unix() && seconds <= now.Add(signatureAge).Unix()
}

// signed tells whether one of the signatures is of this body, and was made with this key.
func (k *callbackKey) signed(s signature, body []byte) bool {
	if len(k.key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, k.key)
	_, _ = io.WriteString(mac, s.id+"."+s.time+".") // a hash takes everything
	mac.Write(body)
	want := mac.Sum(nil)
	found := false
	for value := range strings.FieldsSeq(s.values) {
		text, isV1 := strings.CutPrefix(value, "v1,")
		given, err := base64.StdEncoding.DecodeString(text)
		if isV1 && err == nil && hmac.Equal(given, want) {
			found = true
		}
	}
	return found
}
