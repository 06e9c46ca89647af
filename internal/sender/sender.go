// Package sender checks who sent a mail: SPF, DKIM, DMARC.
//
// A [Checker] is asked once for each mail, at reception. It never fails and never takes long: all DNS of one mail has
// two seconds, and what could not be found out by then is temperror. How a mail is checked:
//
//	SPF policy ───────┐
//	DKIM keys ────────┼─► signatures of the header ─► alignment ─► hash of the body ─► verdicts
//	DMARC tree walk ──┘
//
// Everything that needs the DNS comes before the hash of the body, so that a large mail does not use up the time for
// lookups. The message is read in pieces; its header (256 KB at most) is the only part that is held.
//
// What the DNS says comes from a [dns.Resolver], which remembers it. While that is left alone because nobody answers
// it, everything is temperror at once.
//
// Mail and DNS are written by people who may wish the reader ill. Everything they can make long, deep or slow has a
// bound: signatures, header fields, key sizes, policy terms, labels, records in memory.
//
// SPF is RFC 7208, DKIM RFC 6376 with 8301 and 8463, DMARC RFC 9989.
package sender

import (
	"context"
	"io"
	"net/netip"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// Options say how to check.
type Options struct {
	DNS     *dns.Resolver // nil: checks are off
	Timeout time.Duration // for all DNS of one mail; 2 s
	// Hostname is the name of this server, SPF's %{r}. RFC 7208 7.2 allows that in explanations alone, and since nobody
	// is shown one, none is fetched.
	Hostname string
	Now      func() time.Time
}

// Mail is what is checked.
type Mail struct {
	Remote       netip.Addr // of the client; invalid: not known, then SPF is none
	Helo         string
	EnvelopeFrom string      // empty for the null sender
	From         string      // address of the From header, empty if there is none or more than one author domain
	Raw          io.ReaderAt // the message as received
	Size         int64       // of Raw
}

// Result is what was found. SPF and DKIM are each one of pass, fail, softfail, neutral, none, temperror, permerror;
// DMARC is pass, fail, none, temperror or permerror.
type Result struct {
	SPF, DKIM, DMARC string
	ARC              string   // none: chains are not looked at
	FromAligned      bool     // SPF or DKIM passed for a domain aligned with From
	Policy           string   // DMARC policy that applies: "", "none", "quarantine", "reject"
	Domains          []string // DKIM domains that passed
	Checked          bool     // false: checks are off
	// Feedback is what a report to the owner of the author's domain says; nil: the owner wants none.
	Feedback *Feedback
}

// The verdicts (RFC 8601 2.7).
const (
	pass      = "pass"
	fail      = "fail"
	softfail  = "softfail"
	neutral   = "neutral"
	none      = "none"
	temperror = "temperror"
	permerror = "permerror"
)

const defaultTimeout = 2 * time.Second

// Checker checks mails, many at a time. It has no goroutines of its own.
type Checker struct {
	dns     *dns.Resolver // nil: checks are off
	timeout time.Duration
	now     func() time.Time
}

// New returns a checker.
func New(o Options) *Checker {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Checker{dns: o.DNS, timeout: o.Timeout, now: o.Now}
}

// Check says who sent the mail. What cannot be found out is temperror or none.
func (c *Checker) Check(ctx context.Context, m Mail) Result {
	r := Result{SPF: none, DKIM: none, DMARC: none, ARC: none, Checked: c.dns != nil}
	if c.dns == nil {
		return r
	}
	message := readMessage(m.Raw, m.Size, c.now())
	author := authorOf(m.From, message)

	lookups, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var found discovery
	var wg sync.WaitGroup
	if author.valid() {
		wg.Go(func() { found = discover(lookups, c.dns, author.domain) })
	}
	if len(message.signatures) > 0 {
		wg.Go(func() { message.findKeys(lookups, c.dns, author.domain) })
	}
	spf := checkSPF(lookups, c.dns, m)
	wg.Wait()

	message.verifyHeader()
	aligned := found.align(lookups, c.dns, spf, message.domains())
	message.verifyBody(ctx)

	r.SPF, r.DKIM, r.Domains = spf.verdict, message.verdict(), message.passed()
	r.conclude(author, found, aligned.of(spf, message))
	r.Feedback = feedback(m, found, spf, message, aligned)
	return r
}
