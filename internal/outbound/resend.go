package outbound

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// ProviderMessages returns messages as parts, for a provider that composes them itself.
type ProviderMessages interface {
	ProviderMessage(ctx context.Context, d mailbox.Delivery) (*service.ProviderMessage, error)
}

// Resend passes mail to the provider of that name, over HTTP: one request for each recipient, with the delivery's id
// as the key by which the provider knows a request that is repeated. So what the provider says later is about one
// recipient, and a request whose answer was lost is simply made again.
type Resend struct {
	messages ProviderMessages
	url      string
	key      mailbox.Secret
	client   *http.Client
}

const (
	providerTime  = 2 * time.Minute
	providerReply = 64 << 10 // bytes of its answers that are read
)

// NewResend makes a carrier to the provider at a URL.
func NewResend(p ProviderMessages, url string, key mailbox.Secret) *Resend {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 20
	return &Resend{messages: p, url: strings.TrimSuffix(url, "/"), key: key, client: &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// QueueKey implements Carrier: the provider takes everything.
func (*Resend) QueueKey(string) string { return "resend" }

// Open implements Carrier. Connections are the HTTP client's.
func (r *Resend) Open(context.Context, mailbox.Delivery) (Conn, *mailbox.Attempt) {
	return providerConn{r}, nil
}

type providerConn struct{ *Resend }

func (providerConn) Alive() bool { return true }
func (providerConn) Close()      {}

func (c providerConn) Send(ctx context.Context, job service.Job) mailbox.Attempt {
	message, err := c.messages.ProviderMessage(ctx, job.Delivery)
	switch {
	case mailbox.KindOf(err) == mailbox.Conflict: // deleted meanwhile
		return mailbox.Attempt{Outcome: mailbox.Put}
	case err != nil:
		if wait, ours := service.Outage(err); ours {
			return mailbox.Attempt{Outcome: mailbox.Put, Wait: wait}
		}
		if mailbox.KindOf(err) == mailbox.Denied {
			return c.deferred(whyHeld(err), 0)
		}
		return c.deferred("The message could not be read here; it will be tried again", 0)
	}
	ctx, cancel := context.WithTimeout(ctx, providerTime)
	defer cancel()
	return c.post(ctx, job, message)
}

// post asks the provider to send. Whether a request whose answer was lost was carried out does not matter: repeated
// with the same key, it is not carried out twice.
func (c providerConn) post(ctx context.Context, job service.Job, message *service.ProviderMessage) mailbox.Attempt {
	body, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		_ = writer.CloseWithError(wire.WriteProviderMail(writer, resendMail(message))) // the reader has the error
	}()
	defer func() {
		_ = body.Close()
		<-written
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/emails", body)
	if err != nil {
		return c.deferred("The provider's address is not a URL", 0)
	}
	req.Header.Set("Authorization", "Bearer "+string(c.key))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", job.ID().String())
	req.Header.Set("User-Agent", "Mailkin")
	resp, err := c.client.Do(req)
	if err != nil {
		return c.deferred("The provider did not answer", 0)
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	reply, err := io.ReadAll(io.LimitReader(resp.Body, providerReply))
	if err != nil {
		return c.deferred("The provider's answer broke off", 0)
	}
	return c.answered(resp, reply)
}

// answered returns the provider's answer in our words.
func (c providerConn) answered(resp *http.Response, reply []byte) mailbox.Attempt {
	var said wire.ProviderAnswer
	bad := json.Unmarshal(reply, &said)
	words := strings.TrimSpace(fmt.Sprintf("HTTP %d %s", resp.StatusCode, mailbox.Clip(oneLine(said.Message), 400)))
	switch code := resp.StatusCode; {
	case code >= 200 && code < 300 && bad == nil && said.ID != "":
		return mailbox.Attempt{Outcome: mailbox.Relayed, Code: 250, Text: "Taken by the provider", Host: "resend",
			Provider: said.ID, Relay: true}
	case code == http.StatusTooManyRequests || code >= 500 || code == http.StatusConflict || code >= 200 && code < 300:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return c.deferred(words, time.Duration(min(max(seconds, 0), 3600))*time.Second)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		// The settings are wrong, or the domain is not the provider's yet: that can be put right within the retry time.
		return c.deferred(words, 0)
	}
	return mailbox.Attempt{Outcome: mailbox.Impossible, Code: 554, Text: words, Host: "resend", Relay: true}
}

func (providerConn) deferred(text string, wait time.Duration) mailbox.Attempt {
	return mailbox.Attempt{Outcome: mailbox.Deferred, Code: 451, Text: text, Host: "resend", Relay: true, Wait: wait}
}

// resendMail returns a message as the provider takes it.
func resendMail(p *service.ProviderMessage) wire.ProviderMail {
	m := wire.ProviderMail{From: p.From, To: p.To, ReplyTo: p.ReplyTo, Subject: p.Subject, Text: p.Text, HTML: p.HTML,
		Headers: p.Headers}
	for _, a := range p.Attachments {
		m.Attachments = append(m.Attachments, wire.ProviderFile{Filename: a.Filename, ContentType: a.ContentType,
			ContentID: a.ContentID, Open: a.Open})
	}
	return m
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
