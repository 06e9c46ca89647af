package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
)

func (p *program) listenCommand() *cobra.Command {
	var f eventFlags
	var to string
	cmd := &cobra.Command{
		Use:   "listen --forward URL",
		Short: "Post events to a program on this machine, as a webhook would",
		Long: `Follow the mailbox and post each event to a program on this machine, as a webhook would: the same
body, headers and signature (webhook-id, webhook-timestamp, webhook-signature, with the secret
of "mailkin webhook secret"; and X-Webhook-Signature where WEBHOOK_SECRET is set). No port has
to be open for that, and no public address is needed.

Any 2xx within 10 seconds means that the event has arrived; else it is tried again after 1, 3 and
8 seconds. Each event is a line with tabs: its id, kind, HTTP status, number of attempts, error.
A signal ends it (status 0).`,
		Example: "  mailkin listen --forward http://127.0.0.1:3000/hook",
	}
	f.add(cmd)
	cmd.Flags().StringVar(&to, "forward", "", "URL to post events to")
	return p.remote(cmd, func(s *session, _ []string) error {
		u, err := url.Parse(to)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return usage("say where to with --forward, such as http://127.0.0.1:3000/hook")
		}
		if len(f.types) == 0 {
			f.types = []string{api.MessageReceived, api.MessageDelivered, api.MessageBounced, api.MessageComplained,
				api.MessageHeld, api.MessageApproved, api.MessageRejected, api.MessageCanceled, api.SendingPaused,
				api.RecipientUnsubscribed}
		}
		secret, err := s.listenSecret()
		if err != nil {
			return err
		}
		w := &forwarder{url: to, secret: secret, shared: s.p.variable("WEBHOOK_SECRET"),
			pauses: []time.Duration{time.Second, 3 * time.Second, 8 * time.Second}}
		w.http = &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}}
		s.err.say("Events go to %s.", u.Redacted())
		return f.follow(s, func(ctx context.Context, e api.Event) error { return s.forwarded(e, w.post(ctx, e)) })
	})
}

// listenSecret is what events are signed with: the mailbox's secret, or where the key may not have that, one for this
// run.
func (s *session) listenSecret() (string, error) {
	secret, err := s.c.WebhookSecret(s.ctx)
	if !errors.Is(err, client.ErrForbidden) || errors.Is(err, client.ErrPaused) {
		return secret, err
	}
	key := make([]byte, 24)
	_, _ = rand.Read(key) // it does not fail
	secret = "whsec_" + base64.StdEncoding.EncodeToString(key)
	s.err.say("A temporary mailbox has no webhook secret. Events of this run are signed with %s", secret)
	return secret, nil
}

// forwarder posts events.
type forwarder struct {
	url    string
	secret string // whsec_…
	shared string // of the deployment; empty: not known
	pauses []time.Duration
	http   *http.Client
}

// posted is how it went.
type posted struct {
	status   int
	attempts int
	err      error
}

// post posts an event until it has arrived or has been tried often enough.
func (w *forwarder) post(ctx context.Context, e api.Event) posted {
	var r posted
	body, err := hookBody(e)
	if err != nil {
		return posted{err: err}
	}
	for {
		r.attempts++
		if r.status, r.err = w.attempt(ctx, e, body); r.err == nil || r.attempts > len(w.pauses) {
			return r
		}
		select {
		case <-ctx.Done():
			return r
		case <-time.After(w.pauses[r.attempts-1]):
		}
	}
}

// hookBody is an event as webhooks have it: without the code.
func hookBody(e api.Event) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write the event: %w", err)
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &members); err != nil {
		return nil, fmt.Errorf("write the event: %w", err)
	}
	delete(members, "code")
	return json.Marshal(members)
}

func (w *forwarder) attempt(ctx context.Context, e api.Event, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("build the request: %w", err)
	}
	id, now := "msg_"+e.ID, strconv.FormatInt(time.Now().Unix(), 10)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Mailkin/" + app.Version() + " (+listen)",
		"X-Webhook-Event": e.Event, "X-Webhook-Id": e.EmailID, "X-Webhook-Timestamp": now,
		"Webhook-Id": id, "Webhook-Timestamp": now, "Webhook-Signature": w.sign(id, now, body),
	} {
		req.Header.Set(name, value)
	}
	if w.shared != "" {
		mac := hmac.New(sha256.New, []byte(w.shared))
		mac.Write(body)
		req.Header.Set("X-Webhook-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	resp, err := w.http.Do(req)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)); err != nil {
		return resp.StatusCode, fmt.Errorf("the answer broke off: %w", err)
	}
	if resp.StatusCode/100 != 2 {
		return resp.StatusCode, fmt.Errorf("the program answered %d", resp.StatusCode)
	}
	return resp.StatusCode, nil
}

// sign signs as Standard Webhooks says.
func (w *forwarder) sign(id, at string, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(w.secret, "whsec_"))
	if err != nil {
		return "" // the service's secret is one
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, at)
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// forwarded shows how an event went.
func (s *session) forwarded(e api.Event, r posted) error {
	why := ""
	if r.err != nil {
		why = r.err.Error()
	}
	return s.show(map[string]any{"id": e.ID, "event": e.Event, "email_id": e.EmailID, "status": r.status,
		"attempts": r.attempts, "error": why}, func() error {
		if !s.out.isTerminal() {
			t := newTable(0)
			t.add(e.ID, e.Event, number(r.status), number(r.attempts), why)
			return s.out.table(t)
		}
		style, text := green, fmt.Sprintf("%d", r.status)
		if r.err != nil {
			style, text = red, why
		}
		return s.out.trusted(pad(line(e.Event), 18) + "  " + s.out.styled(style, line(text)) + "  " +
			cut(line(e.Subject), 60) + "\n")
	})
}
