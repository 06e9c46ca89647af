package service

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
)

// Senders checks who sent a message.
type Senders interface {
	Check(ctx context.Context, m sender.Mail) sender.Result
}

// maxCorrespondents is how many domains of known senders a new one is compared with.
const maxCorrespondents = 500

// authenticate checks who sent a message that is on its way in. It may take as long as the DNS is given, and never
// fails.
func (s *Service) authenticate(ctx context.Context, env mailbox.Envelope, in *intake, c content,
	copies []*mailCopy) sender.Result {
	if env.Proto == protoInside {
		return vouched()
	}
	ctx, span := s.opt.Tracer.Start(ctx, "check sender")
	defer span.End()
	if s.opt.Senders == nil {
		return sender.Result{}
	}
	m := sender.Mail{Helo: env.Helo, EnvelopeFrom: env.From, Size: in.parsed.Size}
	m.Remote, _ = netip.ParseAddr(env.Remote) // none: it came by HTTP
	m.From = in.judged(env)
	raw, done, err := s.placed(ctx, in, c, copies)
	if err != nil {
		s.log.Warn("open message to check its sender", "error", err)
		return sender.Result{}
	}
	defer done()
	m.Raw = raw
	r := s.opt.Senders.Check(ctx, m)
	if r.DMARC == "fail" && !mailbox.Public(m.Remote) {
		// It came by a server of ours or by HTTP, so SPF could not be looked at, which may be all that the sender has.
		r.DMARC, r.Policy = "none", ""
	}
	return r
}

// placed opens the bytes of a message that was placed and is not yet stored.
func (s *Service) placed(ctx context.Context, in *intake, c content, copies []*mailCopy) (raw io.ReaderAt, done func(),
	err error) {
	if !c.blob {
		return bytes.NewReader(in.raw.Bytes()[:in.parsed.Size]), func() {}, nil
	}
	o, err := s.blobs.Open(ctx, blobKey(copies[0].message))
	if err != nil {
		return nil, nil, err
	}
	return io.NewSectionReader(o, 0, o.Size()), func() { _ = o.Close() }, nil // only read from
}

// author is the first author that the From of a message names, where it names one or several that are valid, and why
// there is none to be judged.
func (in *intake) author(env mailbox.Envelope) (rfc822.Address, sender.AuthorFault) {
	p := in.parsed
	list := make([]string, len(p.From))
	for i, a := range p.From {
		list[i] = a.Address
	}
	address, fault := sender.Author(p.Header.Count("From"), list, !public(env))
	if address == "" {
		return rfc822.Address{}, fault
	}
	return p.From[slices.Index(list, address)], fault
}

// authors are all that From fields of a message name, canonical, after the one that it is shown with.
func (in *intake) authors(shown string) []string {
	all := []string{canonical(shown)}
	for _, a := range in.parsed.From {
		if next := canonical(a.Address); next != "" && len(all) <= maxAuthors && !slices.Contains(all, next) {
			all = append(all, next)
		}
	}
	return all
}

// judged is the address whose domain is asked about a message: that of its one author.
func (in *intake) judged(env mailbox.Envelope) string {
	from, fault := in.author(env)
	if fault != sender.OneAuthor {
		return ""
	}
	return from.Address
}

// public tells whether a message came from anywhere on the Internet, and not from a program or server nearby, or by
// HTTP.
func public(env mailbox.Envelope) bool {
	remote, _ := netip.ParseAddr(env.Remote)
	return mailbox.Public(remote)
}

// authorFault says why a message has no author that can be judged. Mail between mailboxes of ours was looked at when it
// was sent.
func authorFault(env mailbox.Envelope, in *intake, r sender.Result) sender.AuthorFault {
	if env.Proto == protoInside {
		return sender.OneAuthor
	}
	_, fault := in.author(env)
	if fault == sender.OneAuthor && r.DMARC == "permerror" { // in a broken header the check saw one more From
		return sender.SeveralAuthors
	}
	return fault
}

// refused tells whether a message is refused for its author: the author's own domain asks for it, or From names no
// author or several, so that no policy applies and readers disagree about whom the mail is from (RFC 9989 11.5).
func (s *Service) refused(env mailbox.Envelope, in *intake, r sender.Result, fault sender.AuthorFault) error {
	if !s.live().RejectDMARC {
		return nil
	}
	if r.DMARC == "fail" && r.Policy == "reject" {
		return mailbox.Errorf(mailbox.Denied, "dmarc_reject",
			"The domain of the From header asks for mail like this to be refused (DMARC).")
	}
	if fault == sender.OneAuthor || !r.Checked || !public(env) || returns(env) || in.fromDaemon(env) {
		return nil
	}
	return mailbox.Errorf(mailbox.Denied, "dmarc_reject",
		"The From header must name one author with a domain; none, or several, cannot be checked (DMARC).")
}

// returns tells whether a message is a mail system's report to return paths of ours, and reaches nobody else. It is
// about mail that we sent, and some systems name no author in one.
func returns(env mailbox.Envelope) bool {
	other := func(r mailbox.Recipient) bool { return r.Return.IsZero() }
	return env.From == "" && !slices.ContainsFunc(env.Recipients, other)
}

// fromDaemon tells whether a message is what a mail system sends about other mail: its return path is null (RFC 3464
// 2), and its From is a name without a domain, that of the daemons, or any with a delivery status in the mail. It has
// no author, so that it is suspicious and shows none; a From or Sender that names an address has no place in it. QUIRK:
// a From of MAILER-DAEMON alone, by mail systems that add no domain to what they write themselves.
func (in *intake) fromDaemon(env mailbox.Envelope) bool {
	p := in.parsed
	if env.From != "" || len(p.From) != 1 || p.Header.Count("From") != 1 || p.Header.Count("Sender") > 0 ||
		strings.ContainsAny(p.Header.First("From")+p.From[0].Name+p.From[0].Address, "@\uFF20\uFE6B") {
		return false
	}
	name := strings.ToLower(p.From[0].Address)
	return name == "mailer-daemon" || name == "postmaster" ||
		name != "" && slices.ContainsFunc(p.Parts,
			func(part rfc822.Part) bool { return part.ContentType == "message/delivery-status" })
}

// judge says how far the sender of a copy can be believed, and remembers a sender that can. A known one costs a look at
// one row; a new one is compared with those that are known.
func (s *Service) judge(ctx context.Context, tx store.Tx, m *mailbox.Message, j judgement) error {
	contact, err := judgeOnly(ctx, tx, m, j)
	if err != nil || contact.Correspondent || contact.Known && !authentic(m.Verdict.Auth) {
		return err
	}
	return remember(ctx, tx, m)
}

// judgeOnly says how far the sender of a copy can be believed, and what is known of it.
func judgeOnly(ctx context.Context, r store.Reader, m *mailbox.Message, j judgement) (store.Contact, error) {
	contact, err := r.Contact(ctx, m.Mailbox, canonical(m.From.Address))
	if err != nil {
		return contact, err
	}
	mail := j.mail
	mail.Known = contact.Known
	if !contact.Known {
		if mail.Correspondents, err = r.ContactDomains(ctx, m.Mailbox, maxCorrespondents); err != nil {
			return contact, err
		}
	}
	t := screen.Judge(mail)
	m.Verdict = mailbox.Verdict{Auth: j.auth, Scan: j.scan, Trust: mailbox.Trust{
		Level: mailbox.TrustLevel(t.Level), Reasons: t.Reasons}}
	m.Labels = mailbox.Relabel(m.Labels, j.scan.Labels(), nil)
	if m.Verdict.Trust.Level == mailbox.Suspicious {
		m.Labels = mailbox.Relabel(m.Labels, []string{mailbox.LabelSuspicious}, nil)
	}
	return contact, nil
}

// remember notes the sender of a message that was judged as one that the mailbox knows, unless it is suspicious. One
// for whom authentication does not vouch is not taken for somebody who wrote: anybody can write a From.
func remember(ctx context.Context, tx store.Tx, m *mailbox.Message) error {
	from := canonical(m.From.Address)
	if from == "" || m.Verdict.Trust.Level == mailbox.Suspicious {
		return nil
	}
	return tx.InsertContact(ctx, m.Mailbox, from, authentic(m.Verdict.Auth))
}

// authentic tells whether the author of a mail is the one whom From names. Where senders are not checked, that is taken
// on trust.
func authentic(a mailbox.Auth) bool { return !a.Checked || screen.Passed(screen.Auth(a)) }

// judgement is what is known of a message's sender before its mailbox is looked at.
type judgement struct {
	auth mailbox.Auth
	scan mailbox.Scan
	mail screen.Mail
}

// from returns the judgement of a message whose return path is known.
func (j judgement) from(env mailbox.Envelope) judgement {
	j.mail.EnvelopeFrom = env.From
	return j
}

// with returns the judgement of a message that was scanned.
func (j judgement) with(scan mailbox.Scan) judgement {
	j.scan = scan
	return j
}

// newJudgement gathers it.
func newJudgement(m mailbox.Message, d mailbox.Detail, signs link.Signs, r sender.Result,
	fault sender.AuthorFault) judgement {
	j := judgement{mail: screenMail(m, d).Shared()}
	j.mail.Mismatched, j.mail.Shown, j.mail.Tracked = signs.Mismatch, signs.Shown, signs.Tracked
	j.mail.Policy = r.Policy
	j.auth = auth(r)
	j.mail.Auth = screen.Auth(j.auth)
	j.mail.NoAuthor, j.mail.SeveralAuthors = fault == sender.NoAuthor, fault == sender.SeveralAuthors
	return j
}

// auth is what a check found, as it is kept.
func auth(r sender.Result) mailbox.Auth {
	return mailbox.Auth{SPF: r.SPF, DKIM: r.DKIM, DMARC: r.DMARC, ARC: r.ARC,
		FromAligned: r.FromAligned, Checked: r.Checked}
}

// screenMail is a message as package screen looks at it. Its links are found already.
func screenMail(m mailbox.Message, d mailbox.Detail) screen.Mail {
	out := screen.Mail{From: m.From.Address, FromName: m.From.Name, Subject: m.Subject, Text: d.Text, Header: d.Header,
		Mismatched: slices.ContainsFunc(d.Links, func(l mailbox.Link) bool { return l.Mismatch })}
	out.ReplyTo = make([]string, len(d.ReplyTo))
	for i, a := range d.ReplyTo {
		out.ReplyTo[i] = a.Address
	}
	out.Parties = append(out.Parties, m.Recipient)
	for _, list := range [][]mailbox.Address{d.ReplyTo, d.To, d.Cc} {
		for _, a := range list[:min(len(list), screen.MaxParties)] {
			out.Parties = append(out.Parties, a.Address)
			if a.Name != "" {
				out.Names = append(out.Names, a.Name)
			}
		}
	}
	for _, p := range d.Parts {
		out.Attachments = append(out.Attachments, p.Filename)
	}
	return out
}

// screened looks for orders to a model in a message.
func screened(m *FullMessage, b body) mailbox.Screening {
	mail := screenMail(m.Message, m.Detail)
	mail.View = b.view
	mail.Auth, mail.Known = screen.Auth(m.Verdict.Auth), !slices.Contains(m.Verdict.Trust.Reasons, screen.FirstContact)
	return newScreening(screen.Screen(mail), 0)
}

// screenTexts looks for orders to a model in the texts of a message's attachments. What is found there is also a
// finding of the message.
func screenTexts(m *FullMessage) {
	d := &m.Detail
	mail := screenMail(m.Message, *d)
	mail.Auth, mail.Known = screen.Auth(m.Verdict.Auth), !slices.Contains(m.Verdict.Trust.Reasons, screen.FirstContact)
	for _, p := range d.Parts {
		t := d.Texts[p.Index]
		if t.Text == "" {
			continue
		}
		found := newScreening(screen.ScreenFile(mail, screen.File{Text: t.Text, Calendar: isCalendar(p)}), p.Index)
		if d.TextScreenings == nil {
			d.TextScreenings = map[int]mailbox.Screening{}
		}
		d.TextScreenings[p.Index] = found
		d.Screening = d.Screening.With(found)
	}
}

// newScreening is what package screen found in the text of a part, or in the message itself, whose part is 0.
func newScreening(found screen.Screening, part int) mailbox.Screening {
	out := mailbox.Screening{Verdict: string(found.Verdict)}
	for _, f := range found.Findings {
		out.Findings = append(out.Findings, mailbox.Finding{Rule: f.Rule, Layer: f.Layer, Excerpt: f.Excerpt,
			Part: part})
	}
	return out
}
