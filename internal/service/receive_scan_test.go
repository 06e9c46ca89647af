package service_test

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// scanner says of every mail what the test wants, and keeps what it was shown.
type scanner struct {
	says mailbox.Scan
	err  error
	read []string
}

func (s *scanner) Scan(_ context.Context, _ mailbox.Envelope, raw io.Reader, size int64) (mailbox.Scan, error) {
	b, err := io.ReadAll(raw)
	if err == nil && int64(len(b)) != size {
		err = io.ErrUnexpectedEOF
	}
	s.read = append(s.read, string(b))
	return s.says, errors.Join(err, s.err)
}

// listed has one address.
type listed string

func (l listed) Listings(_ context.Context, a netip.Addr) []sender.Listing {
	if a.String() != string(l) {
		return nil
	}
	return []sender.Listing{{Zone: "zen.example"}}
}

func (l listed) Explain(_ context.Context, _ netip.Addr, list []sender.Listing) sender.Listing {
	return sender.Listing{Zone: list[0].Zone, Text: "See zen.example."}
}

var (
	clean   = mailbox.Scan{Verdict: "clean", Action: "no action", Score: 1, Required: 15}
	marked  = mailbox.Scan{Verdict: "spam", Action: "add header", Score: 8, Required: 15}
	spam    = mailbox.Scan{Verdict: "spam", Action: "reject", Score: 20, Required: 15}
	found   = []mailbox.ScanSymbol{{Name: "CLAM_VIRUS", Score: 8}}
	virus   = mailbox.Scan{Verdict: "virus", Action: "reject", Symbols: found}
	noScan  = mailbox.Scan{Verdict: "unscanned"}
	onAList = mailbox.Scan{Blocklists: []string{"zen.example"}}
)

func TestScan(t *testing.T) {
	down := errors.New("down")
	for _, tt := range []struct {
		name   string
		change service.Hygiene
		says   mailbox.Scan
		err    error
		remote string
		want   mailbox.Scan
		labels string
		refuse string // code of the error
	}{
		{"clean", service.Hygiene{}, clean, nil, "", clean, "personal", ""},
		{"spam is marked", service.Hygiene{RejectVirus: true}, spam, nil, "", spam, "personal spam", ""},
		{"a virus is marked", service.Hygiene{}, virus, nil, "", virus, "personal virus", ""},
		{"a virus is refused", service.Hygiene{RejectVirus: true}, virus, nil, "", virus, "", "virus"},
		{"a virus is refused with spam", service.Hygiene{RejectSpam: true}, virus, nil, "", virus, "", "virus"},
		{"spam is refused", service.Hygiene{RejectSpam: true}, spam, nil, "", spam, "", "spam"},
		{"what is to be marked is not refused", service.Hygiene{RejectSpam: true}, marked, nil, "", marked,
			"personal spam", ""},
		{"down", service.Hygiene{RejectSpam: true}, clean, down, "", noScan, "personal unscanned", ""},
		{"down, put off", service.Hygiene{DeferFailed: true}, clean, down, "", noScan, "", "scanner_unavailable"},
		{"too large is not put off", service.Hygiene{DeferFailed: true}, noScan, nil, "", noScan,
			"personal unscanned", ""},
		{"a client on a list", service.Hygiene{Blocklists: listed("8.8.8.8")}, mailbox.Scan{}, nil, "8.8.8.8", onAList,
			"blocklisted personal", ""},
		{"another client", service.Hygiene{Blocklists: listed("8.8.8.8")}, mailbox.Scan{}, nil, "8.8.4.4",
			mailbox.Scan{}, "personal", ""},
		{"a client nearby is not looked up", service.Hygiene{Blocklists: listed("10.0.0.1")}, mailbox.Scan{}, nil,
			"10.0.0.1", mailbox.Scan{}, "personal", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &scanner{says: tt.says, err: tt.err}
			k := newService(t, func(opt *service.Options) { opt.Hygiene = tt.change; opt.Hygiene.Scanner = o })
			own := k.permanent("own")
			env := k.envelope(own.Address)
			env.Remote = tt.remote
			for _, raw := range []string{letter("one"), mixed("two", noise(1<<20))} {
				receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(raw))
				if o.read[len(o.read)-1] != raw {
					t.Error("the scanner was shown something else")
				}
				if tt.refuse != "" {
					var e *mailbox.Error
					if !errors.As(err, &e) || e.Code != tt.refuse {
						t.Errorf("%v", err)
					}
					continue
				}
				k.works("Receive", err)
				m := k.message(own.read(), receipts[0].ID)
				k.same("scan", m.Verdict.Scan, tt.want)
				k.same("labels", strings.Join(m.Labels, " "), tt.labels)
			}
			if tt.refuse != "" {
				k.noFiles("after refusals")
			}
		})
	}
}

// A report that comes to the return path of a delivery is taken whatever the scanner says; mail between mailboxes of
// ours is not shown to it; labels of a scan stay when the rules are applied again.
func TestScanExceptions(t *testing.T) {
	o := &scanner{says: spam}
	k := newService(t, func(opt *service.Options) { opt.Hygiene = service.Hygiene{Scanner: o} })
	own, other := k.permanent("own"), k.permanent("other")
	_, err := k.svc.Send(t.Context(), own.in(mailbox.SendMail), mailbox.Draft{To: []string{other.Address},
		Subject: "hi", Text: "text", HasText: true})
	k.works("Send", err)
	got := k.inbox(other.read(), service.InboxQuery{}).Items[0]
	k.same("mail of ours", []any{len(o.read), got.Verdict.Scan}, []any{0, mailbox.Scan{}})
	m := k.message(own.read(), k.receive(letter("one"), own.Address)[0].ID)
	k.same("labels", m.Labels, []string{"personal", "spam"})
	_, err = k.svc.Reprocess(t.Context(), func(service.Progress) {})
	k.works("Reprocess", err)
	k.same("labels after reprocessing", k.message(own.read(), m.ID).Labels, []string{"personal", "spam"})
	found := k.inbox(own.read(), service.InboxQuery{Label: "spam"}).Items
	k.same("listed by label", len(found), 1)
}

func TestWelcomeClient(t *testing.T) {
	k := newService(t, func(opt *service.Options) {
		opt.Hygiene = service.Hygiene{Blocklists: listed("8.8.8.8"), RejectListed: true}
	})
	k.works("another client", k.svc.WelcomeClient(t.Context(), "8.8.4.4"))
	k.works("no address", k.svc.WelcomeClient(t.Context(), ""))
	err := k.svc.WelcomeClient(t.Context(), "8.8.8.8")
	k.kind("a client on a list", err, mailbox.Denied, "blocklisted")
	if !strings.Contains(err.Error(), "zen.example. See zen.example.") {
		t.Error(err)
	}
}
