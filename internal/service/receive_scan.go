package service

import (
	"context"
	"io"
	"net/netip"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
)

// Scanner asks a spam and virus scanner about a message of that many bytes.
type Scanner interface {
	Scan(ctx context.Context, env mailbox.Envelope, raw io.Reader, size int64) (mailbox.Scan, error)
}

// Blocklists finds the DNS block lists that have a client's address.
type Blocklists interface {
	Listings(ctx context.Context, addr netip.Addr) []sender.Listing
	Explain(ctx context.Context, addr netip.Addr, list []sender.Listing) sender.Listing
}

// Hygiene is what is done about spam and viruses from outside.
type Hygiene struct {
	Scanner      Scanner    // nil: none is asked
	DeferFailed  bool       // mail that could not be scanned is put off; else it is taken and marked
	RejectVirus  bool       // mail in which the scanner found a virus is refused
	RejectSpam   bool       // the same where the scanner wants it refused, and not only marked
	Blocklists   Blocklists // nil: none are asked
	RejectListed bool       // clients on them are refused; else their mail is marked
}

// WelcomeClient refuses a client whose address is on a DNS block list, where the settings say so. It is asked before
// the client says what it has, so that nobody reads that.
func (s *Service) WelcomeClient(ctx context.Context, remote string) error {
	h := s.opt.Hygiene
	addr, _ := netip.ParseAddr(remote)
	if h.Blocklists == nil || !h.RejectListed || !mailbox.Public(addr) {
		return nil
	}
	list := h.Blocklists.Listings(ctx, addr)
	if len(list) == 0 {
		return nil
	}
	found := h.Blocklists.Explain(ctx, addr, list)
	return mailbox.Errorf(mailbox.Denied, "blocklisted", "%s", strings.TrimSpace("Your address "+addr.String()+
		" is listed by "+found.Zone+". "+found.Text))
}

// scan begins to ask the scanner and the block lists about a message from outside, and returns what waits for the
// answer. Mail between mailboxes of ours is not scanned.
func (s *Service) scan(ctx context.Context, env mailbox.Envelope, in *intake, c content, copies []*mailCopy) (
	wait func() (mailbox.Scan, error)) {
	h := s.opt.Hygiene
	if env.Proto == protoInside || h.Scanner == nil && h.Blocklists == nil {
		return func() (mailbox.Scan, error) { return mailbox.Scan{}, nil }
	}
	type result struct {
		scan mailbox.Scan
		err  error
	}
	done := make(chan result, 1)
	go func() {
		scan, err := s.scanNow(ctx, env, in, c, copies)
		done <- result{scan, err}
	}()
	return func() (mailbox.Scan, error) {
		r := <-done
		return r.scan, r.err
	}
}

func (s *Service) scanNow(ctx context.Context, env mailbox.Envelope, in *intake, c content, copies []*mailCopy) (
	out mailbox.Scan, err error) {
	h := s.opt.Hygiene
	if h.Scanner != nil {
		var raw io.ReaderAt
		var closeRaw func()
		if raw, closeRaw, err = s.placed(ctx, in, c, copies); err == nil {
			out, err = h.Scanner.Scan(ctx, env, io.NewSectionReader(raw, 0, in.parsed.Size), in.parsed.Size)
			closeRaw()
		}
		if err != nil {
			out = mailbox.Scan{Verdict: mailbox.ScanUnscanned}
		}
	}
	remote, _ := netip.ParseAddr(env.Remote)
	if h.Blocklists != nil && env.Proto != "LMTP" && mailbox.Public(remote) {
		for _, l := range h.Blocklists.Listings(ctx, remote) {
			out.Blocklists = append(out.Blocklists, l.Zone)
		}
	}
	return out, err
}

// refusedByScan tells whether a message is refused for what the scanner says, or put off because it says nothing.
// Reports about our own mail are taken in any case.
func (s *Service) refusedByScan(env mailbox.Envelope, scan mailbox.Scan, failed error) error {
	h := s.opt.Hygiene
	switch {
	case failed != nil && h.DeferFailed:
		return &mailbox.Error{Kind: mailbox.Unavailable, Code: "scanner_unavailable",
			Message: "The message could not be scanned now; try again later.", Err: failed}
	case returns(env):
		return nil
	case scan.Verdict == mailbox.ScanVirus && (h.RejectVirus || h.RejectSpam):
		return mailbox.Errorf(mailbox.Denied, "virus", "The message contains malware.")
	case scan.Verdict == mailbox.ScanSpam && scan.Action == mailbox.ScanReject && h.RejectSpam:
		return mailbox.Errorf(mailbox.Denied, "spam", "The message looks like spam.")
	}
	return nil
}
