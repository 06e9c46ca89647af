// Package scanner asks a spam and virus scanner about a message, in the HTTP protocol of rspamd: the message is posted
// to /checkv2 with its envelope in header fields, and the answer is JSON with an action, a score and the rules that
// matched.
//
// A scan is bounded in bytes, in time and in how many run at once. Waiting for a slot counts as time. A scanner that
// fails several times in a row is left alone for some seconds, in which every scan fails at once, so that a dead
// scanner does not hold up mail.
package scanner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Options say where the scanner is, and what it may take.
type Options struct {
	// http or https; an empty path is /checkv2; a user and password are sent as basic authentication
	URL         string
	Timeout     time.Duration // of one message, waiting for a slot included
	Connections int           // scans at once
	MaxSize     int64         // bytes of a message; larger ones are not scanned
	// Host finds the name of a client's address that leads back to it; empty: it has none. nil: nobody looks
	Host    func(ctx context.Context, addr netip.Addr) string
	Observe func(outcome string, took time.Duration)
	Now     func() time.Time
	Log     *slog.Logger // is told when the scanner begins to fail, and when it answers again
}

const (
	maxAnswer     = 1 << 20 // bytes of an answer
	maxSymbols    = 40      // that are kept of one
	maxSymbolName = 64      // bytes
	maxRecipients = 50      // that the scanner is told of

	failuresBeforeBackoff = 3
	backoff               = 10 * time.Second
)

// The outcomes that Observe is told beside the verdicts: the scanner failed, it was left alone because it had failed,
// or the message was too large for it.
const (
	Failed  = "failed"
	Skipped = "skipped"
	Large   = "too_large"
)

// Outcomes lists everything that Observe can be told.
func Outcomes() []string {
	return []string{mailbox.ScanClean, mailbox.ScanSpam, mailbox.ScanVirus, Failed, Skipped, Large}
}

// ErrURL never says the URL, which may have a password in it.
var ErrURL = errors.New("it must be a URL such as http://127.0.0.1:11333")

var errLeftAlone = errors.New("the scanner failed several times and is left alone for some seconds")

// Scanner asks one. It may be used by many goroutines at once.
type Scanner struct {
	opt    Options
	url    string
	client *http.Client
	slots  chan struct{}

	mu       sync.Mutex
	failures int // one after the other
	until    time.Time
	last     error // nil: the last scan was answered
}

// New returns a scanner.
func New(o Options) (*Scanner, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, ErrURL
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/checkv2"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = func(string, time.Duration) {}
	}
	transport := &http.Transport{MaxIdleConnsPerHost: o.Connections, IdleConnTimeout: 30 * time.Second,
		DisableCompression: true}
	return &Scanner{opt: o, url: u.String(), slots: make(chan struct{}, o.Connections),
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}}, nil
}

// Scan asks about a message of that many bytes. An error means that the scanner could not say.
func (s *Scanner) Scan(ctx context.Context, env mailbox.Envelope, raw io.Reader, size int64) (mailbox.Scan, error) {
	began := time.Now()
	if size > s.opt.MaxSize {
		s.opt.Observe(Large, 0)
		return mailbox.Scan{Verdict: mailbox.ScanUnscanned}, nil
	}
	if !s.allowed() {
		s.opt.Observe(Skipped, 0)
		return mailbox.Scan{}, errLeftAlone
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	scan, err := s.ask(bounded, env, raw, size)
	if err != nil && ctx.Err() != nil { // the sender is gone, which says nothing about the scanner
		return mailbox.Scan{}, err
	}
	s.note(err)
	outcome := scan.Verdict
	if err != nil {
		outcome = Failed
	}
	s.opt.Observe(outcome, time.Since(began))
	return scan, err
}

// Problem says what went wrong with the last scan; empty: nothing.
func (s *Scanner) Problem() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return ""
	}
	return s.last.Error()
}

// allowed tells whether the scanner may be asked. When the time of leaving it alone is over, one message tries it.
func (s *Scanner) allowed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failures < failuresBeforeBackoff {
		return true
	}
	if now := s.opt.Now(); now.After(s.until) {
		s.until = now.Add(max(backoff, s.opt.Timeout))
		return true
	}
	return false
}

func (s *Scanner) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.last == nil {
		s.opt.Log.Warn("the scanner does not answer", "error", err)
	}
	if err == nil && s.last != nil {
		s.opt.Log.Info("the scanner answers again")
	}
	if s.last = err; err == nil {
		s.failures = 0
		return
	}
	s.failures++
	s.until = s.opt.Now().Add(backoff)
}

func (s *Scanner) ask(ctx context.Context, env mailbox.Envelope, raw io.Reader, size int64) (scan mailbox.Scan,
	err error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return scan, fmt.Errorf("wait for a slot of the scanner: %w", ctx.Err())
	}
	message := &body{r: io.LimitReader(raw, size)}
	defer message.end()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, message)
	if err != nil {
		return scan, ErrURL
	}
	r.ContentLength = size
	describe(r.Header, env)
	if addr, err := netip.ParseAddr(env.Remote); err == nil && s.opt.Host != nil {
		if host := printable(s.opt.Host(ctx, addr)); host != "" {
			r.Header.Set("Hostname", host)
		}
	}
	resp, err := s.client.Do(r)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) { // whose text has the URL in it
			err = at.Err
		}
		return scan, fmt.Errorf("ask the scanner: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	if resp.StatusCode != http.StatusOK {
		return scan, fmt.Errorf("the scanner answers %d", resp.StatusCode)
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&a); err != nil {
		return scan, fmt.Errorf("read the scanner's answer: %w", err)
	}
	return a.scan()
}

// body is a message on its way to the scanner. The transport may read from it after a request has failed; the memory
// behind it is another message's then.
type body struct {
	mu sync.Mutex
	r  io.Reader // nil: it is over
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.r == nil {
		return 0, io.ErrClosedPipe
	}
	return b.r.Read(p)
}

func (b *body) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.r = nil
}

// describe tells the scanner how a message came, in the header fields that rspamd reads.
func describe(h http.Header, env mailbox.Envelope) {
	set := func(name, value string) {
		if value = printable(value); value != "" {
			h.Add(name, value)
		}
	}
	h.Set("Content-Type", "message/rfc822")
	set("IP", env.Remote)
	set("Helo", env.Helo)
	set("From", env.From)
	for _, to := range env.Recipients[:min(len(env.Recipients), maxRecipients)] {
		set("Rcpt", to.Address)
	}
}

// printable drops what a header field of HTTP cannot hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// answer is what rspamd says. Its names are those of its protocol.
type answer struct {
	Action   string
	Score    float64
	Required float64 `json:"required_score"`
	Symbols  map[string]struct{ Score float64 }
}

// scan returns what an answer means. Greylisting and soft rejects are for servers that put mail off to see whether it
// comes again; that is not done here, so such mail is clean.
func (a answer) scan() (mailbox.Scan, error) {
	out := mailbox.Scan{Verdict: mailbox.ScanClean, Action: symbolName(a.Action), Score: finite(a.Score),
		Required: finite(a.Required)}
	switch a.Action {
	case "":
		return mailbox.Scan{}, errors.New("the scanner's answer has no action")
	case "add header", "rewrite subject", "quarantine", mailbox.ScanReject:
		out.Verdict = mailbox.ScanSpam
	}
	for name, y := range a.Symbols {
		if isVirus(name) && y.Score >= 0 {
			out.Verdict = mailbox.ScanVirus
		}
		if name = symbolName(strings.ReplaceAll(name, " ", "_")); name != "" {
			out.Symbols = append(out.Symbols, mailbox.ScanSymbol{Name: name, Score: finite(y.Score)})
		}
	}
	slices.SortFunc(out.Symbols, func(a, b mailbox.ScanSymbol) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)), strings.Compare(a.Name, b.Name))
	})
	out.Symbols = out.Symbols[:min(len(out.Symbols), maxSymbols)]
	return out, nil
}

// isVirus tells whether a rule that matched has found malware: rspamd's antivirus module names its rules so
// (CLAM_VIRUS, SOPHOS_VIRUS).
func isVirus(symbol string) bool { return strings.HasSuffix(symbol, "_VIRUS") }

// symbolName is a name as it can be stored.
func symbolName(s string) string {
	s = strings.ToValidUTF8(printable(s), "")
	return strings.ToValidUTF8(s[:min(len(s), maxSymbolName)], "")
}

func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}
