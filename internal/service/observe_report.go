package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/aggregate"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/zone"
)

// Reports on a day are sent in the first hours of the next. A topic is closed in the transaction that stores its
// reports as mail to be sent: so none is lost in a crash, and none is sent twice.
//
// They are sent from mailboxes of the service's own, as notices are. Where the DNS does not answer, the next round
// tries again, until the topic is too old.

const (
	reportWait      = 30 * time.Minute // after midnight: nodes may still have to write
	reportSpread    = 3 * time.Hour
	reportTargets   = 4 // that get a report
	topicStep       = 100
	reportsKeptDays = 30 // in the mailbox that they are sent from
)

// reportBoxes are the local parts of the mailboxes that reports are sent from. Nobody can ask for them.
var reportBoxes = map[mailbox.ReportKind]string{mailbox.ReportDMARC: "noreply-dmarc", mailbox.ReportTLS: "noreply-tls"}

func isReportSender(local string) bool {
	return local == reportBoxes[mailbox.ReportDMARC] || local == reportBoxes[mailbox.ReportTLS]
}

// SendReports reports to the owners of other domains what was seen of their mail, as far as that is due and they ask
// for it. It waits for the DNS.
func (s *Service) SendReports(ctx context.Context) error {
	if !s.live().SendReports || s.opt.Way == WayOff || s.opt.Zones == nil || s.catchesAll() {
		return nil
	}
	if err := s.flushObserved(ctx, true); err != nil {
		return err
	}
	resolver := s.opt.Zones()
	var failed error
	for after := (mailbox.Topic{}); ; {
		var topics []mailbox.Topic
		err := s.view(ctx, func(r store.Reader) (err error) {
			topics, err = r.OpenTopics(ctx, utcDay(s.now()), after, topicStep)
			return err
		})
		if err != nil || len(topics) == 0 {
			return errors.Join(failed, err)
		}
		for _, t := range topics { // each by itself, so that none waits for another
			if after = t; s.now().Before(reportDue(t)) {
				continue
			}
			if err := s.reportOn(ctx, t, resolver); err != nil {
				failed = fmt.Errorf("report on %s: %w", t.Domain, err)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
}

// reportDue is when the report on a topic is sent. That is not the same time for all domains, since many ask for their
// reports at the same address.
func reportDue(t mailbox.Topic) time.Time {
	h := fnv.New32a()
	_, _ = io.WriteString(h, t.Domain) // never fails
	spread := time.Duration(h.Sum32()%uint32(reportSpread/time.Second)) * time.Second
	return dayBegin(t.Day + 1).Add(reportWait + spread)
}

func dayBegin(day int64) time.Time { return time.Unix(day*86400, 0).UTC() }

// reportTarget is an address that wants reports.
type reportTarget struct {
	addressee
	most int64  // bytes of the packed report; 0: any number
	url  string // that the report is posted to; empty: it is mailed
}

// ReportPoster posts a report on TLS, to the addresses that a webhook may have. A Poster may be one.
type ReportPoster interface {
	PostReport(ctx context.Context, url, mediaType string, report []byte) (problem string)
}

// postReport posts a report. Its id is the same when it is posted again: a receiver can tell.
func (s *Service) postReport(ctx context.Context, target reportTarget, packed []byte) error {
	poster, ok := s.opt.Poster.(ReportPoster)
	if !ok {
		return nil
	}
	if err := s.checkWebhook(target.url); err != nil {
		return nil //nolint:nilerr // what is no address for a webhook is none for a report
	}
	if problem := poster.PostReport(ctx, target.url, tlsReportType+"gzip", packed); problem != "" {
		return errors.New(problem)
	}
	s.reportsSent.Add(1)
	return nil
}

// reportOn sends the report on a topic to those who ask for it, and closes the topic.
func (s *Service) reportOn(ctx context.Context, t mailbox.Topic, resolver zone.Resolver) error {
	targets, policy, err := s.reportTargets(ctx, t, resolver)
	if err != nil {
		return err
	}
	var list []notice
	defer func() {
		for _, n := range list {
			n.in.discard()
		}
	}()
	if len(targets) > 0 {
		from, err := s.reportSender(ctx, t.Kind)
		if err != nil {
			return err
		}
		h, packed, err := s.writeReport(ctx, t, policy, from.Address)
		if err != nil {
			return err
		}
		var unposted error
		for _, target := range targets {
			if target.url != "" {
				unposted = errors.Join(unposted, s.postReport(ctx, target, packed))
				continue
			}
			refused, err := s.refusesNotices(ctx, from, target.canonical)
			if err != nil {
				return err
			}
			if refused || target.most > 0 && int64(len(packed)) > target.most {
				continue
			}
			n, err := s.newReport(ctx, from, target.addressee, t.Kind, h, packed)
			if n.in != nil {
				list = append(list, n)
			}
			if err != nil {
				return err
			}
		}
		if unposted != nil && len(list) == 0 { // nobody has the report yet: the next round tries again
			return unposted
		}
	}
	return s.sendReports(ctx, t, list)
}

// sendReports stores reports as mail to be sent, and with them that the topic is reported.
func (s *Service) sendReports(ctx context.Context, t mailbox.Topic, list []notice) error {
	err := s.update(ctx, func(tx store.Tx) error {
		for _, n := range list {
			n.repeated = true
		}
		closed, err := tx.CloseTopic(ctx, t)
		if err != nil || !closed { // somebody else was faster
			return err
		}
		return s.insertNotices(ctx, tx, list)
	})
	s.queueNotices(ctx, list, err)
	if err == nil && len(list) > 0 && !list[0].repeated {
		s.reportsSent.Add(int64(len(list)))
	}
	return err
}

// writeReport makes the report on a topic.
func (s *Service) writeReport(ctx context.Context, t mailbox.Topic, p sender.ReportPolicy, contact string) (
	h aggregate.Header, packed []byte, err error) {
	var seen []mailbox.Observation
	var sts mailbox.Policy
	err = s.view(ctx, func(r store.Reader) (err error) {
		seen, err = r.Observations(ctx, t, maxFacts)
		if err == nil && t.Kind == mailbox.ReportTLS {
			if sts, err = r.Policy(ctx, t.Domain); errors.Is(err, store.ErrNotFound) {
				err = nil
			}
		}
		return err
	})
	if err != nil {
		return h, nil, err
	}
	begin := dayBegin(t.Day)
	h = aggregate.Header{Organization: s.opt.Hostname, Contact: contact, Domain: t.Domain, Begin: begin,
		End: begin.Add(24*time.Hour - time.Second),
		ID:  begin.Format("20060102") + "." + mailbox.NewID(s.opt.Now()).String()}
	if t.Kind == mailbox.ReportTLS {
		h.ID = begin.Format("20060102") + "." + t.Domain
		packed, err = aggregate.WriteTLS(h, sts.Text, seen)
	} else {
		packed, err = aggregate.WriteDMARC(h, aggregate.Published{P: p.P, SP: p.SP, ADKIM: p.ADKIM, ASPF: p.ASPF}, seen)
	}
	return h, packed, err
}

// newReport composes the mail with a report (RFC 7489 7.2.1.1, RFC 8460 5.3) and takes it in, but for the transaction.
func (s *Service) newReport(ctx context.Context, from mailbox.Mailbox, to addressee, kind mailbox.ReportKind,
	h aggregate.Header, packed []byte) (notice, error) {
	id := mailbox.NewID(s.opt.Now())
	messageID := s.newMessageID(id, from.Address)
	m := compose.Mail{From: compose.Address{Address: from.Address}, To: composed([]addressee{to}), HasText: true,
		Date: s.now(), MessageID: messageID,
		Subject: "Report Domain: " + h.Domain + " Submitter: " + h.Organization + " Report-ID: <" + h.ID + ">",
		Text: "This is an aggregate report about mail " + map[mailbox.ReportKind]string{
			mailbox.ReportDMARC: "in the name of ", mailbox.ReportTLS: "to "}[kind] + h.Domain +
			", as its DNS asks for.\nIt was sent by a program; nobody reads answers.\n",
		Fields: []compose.Field{{Name: "Auto-Submitted", Value: "auto-generated"}},
		Attachments: []compose.Attachment{{Filename: h.Filename(kind), ContentType: "application/gzip",
			Size: int64(len(packed)),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed)), nil }}}}
	if kind == mailbox.ReportTLS {
		m.Report, m.Attachments[0].ContentType = "tlsrpt", tlsReportType+"gzip"
		m.Fields = append(m.Fields, compose.Field{Name: "TLS-Report-Domain", Value: h.Domain},
			compose.Field{Name: "TLS-Report-Submitter", Value: h.Organization})
	}
	return s.takeNotice(ctx, notice{outgoing: &outgoing{box: from, id: id, from: from.Address,
		recipients: []addressee{to}, to: []addressee{to}, taken: []bool{false}, subject: m.Subject, due: s.now(),
		status: mailbox.Queued, proto: "report"}}, m)
}

// reportSender is the mailbox that reports of a kind are sent from. It is made when it is needed first, without a key,
// and keeps what was sent for some weeks.
func (s *Service) reportSender(ctx context.Context, kind mailbox.ReportKind) (mailbox.Mailbox, error) {
	address := reportBoxes[kind] + "@" + s.opt.Domains[0]
	box, err := s.mailboxAt(ctx, address)
	if errors.Is(err, errNoMailbox) {
		box, err = s.makeBox(ctx, keptFor(reportsKeptDays, s.newBox(address)))
	}
	if err == nil && box.Address != address { // an alias of somebody's
		err = fmt.Errorf("reports are sent from %s, which is an address of %s", address, box.Address)
	}
	return box, err
}

// OwnReport tells whether a delivery is that of a report of ours, which is not counted for reports; lax whether it is
// one on TLS, which must not be held up by what it reports (RFC 8460 3).
func (s *Service) OwnReport(ctx context.Context, d mailbox.Delivery) (own, lax bool) {
	if !s.live().SendReports {
		return false, false
	}
	var box mailbox.Mailbox
	err := s.ask(ctx, func(r store.Reader) (err error) {
		box, err = r.Mailbox(ctx, d.Mailbox)
		return err
	})
	if err != nil || !s.sendsNotices(box) {
		return false, false
	}
	local, _ := split(box.Address)
	return true, local == reportBoxes[mailbox.ReportTLS]
}

// ReportsSent counts the reports to other domains that this node has queued.
func (s *Service) ReportsSent() int64 { return s.reportsSent.Load() }

// reportTargets asks the DNS who wants the report on a topic. Nobody does where there is no record.
func (s *Service) reportTargets(ctx context.Context, t mailbox.Topic, resolver zone.Resolver) (list []reportTarget,
	policy sender.ReportPolicy, err error) {
	name := "_dmarc."
	if t.Kind == mailbox.ReportTLS {
		name = "_smtp._tls."
	}
	texts, err := textsAt(ctx, resolver, name+t.Domain)
	if err != nil {
		return nil, policy, err
	}
	var uris string
	if t.Kind == mailbox.ReportTLS {
		uris = tlsReportURIs(texts)
		list = postTargets(uris)
	} else {
		policy, _ = sender.ParseReportPolicy(texts)
		uris = policy.URIs
	}
	for _, target := range parseTargets(uris) {
		if s.staysInside(target.domain) { // a report to ourselves says nothing new
			continue
		}
		if t.Kind == mailbox.ReportDMARC {
			ok, err := s.agrees(ctx, t.Domain, &target, resolver)
			if err != nil {
				return nil, policy, err
			}
			if !ok {
				continue
			}
		}
		if !slices.ContainsFunc(list, func(r reportTarget) bool {
			return r.url == "" && r.canonical == target.canonical
		}) {
			list = append(list, target)
		}
	}
	return list, policy, nil
}

// textsAt asks for the texts of a name; there may be none.
func textsAt(ctx context.Context, resolver zone.Resolver, name string) ([]string, error) {
	texts, err := resolver.TXT(ctx, name)
	if errors.Is(err, zone.ErrNone) {
		err = nil
	}
	return texts, err
}

// tlsReportURIs are the addresses of a TLSRPT record (RFC 8460 3). Several records are as good as none.
func tlsReportURIs(texts []string) (uris string) {
	n := 0
	for _, text := range texts {
		version, rest, _ := strings.Cut(text, ";")
		if strings.TrimSpace(version) != "v=TLSRPTv1" {
			continue
		}
		n++
		for field := range strings.SplitSeq(rest, ";") {
			if key, value, _ := strings.Cut(field, "="); strings.TrimSpace(key) == "rua" {
				uris = value
			}
		}
	}
	if n != 1 {
		return ""
	}
	return uris
}

// postTargets reads the addresses that a list of URIs wants reports on TLS to be posted to (RFC 8460 3).
func postTargets(uris string) (list []reportTarget) {
	for item := range strings.SplitSeq(uris, ",") {
		u, err := url.Parse(strings.TrimSpace(item))
		if err == nil && u.Scheme == "https" && u.Host != "" && len(list) < reportTargets {
			list = append(list, reportTarget{url: u.String()})
		}
	}
	return list
}

// parseTargets reads a list of URIs. Only mail is sent: what is not mailto is left out.
func parseTargets(uris string) (list []reportTarget) {
	for item := range strings.SplitSeq(uris, ",") {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(item), ":")
		if !strings.EqualFold(scheme, "mailto") || len(list) == reportTargets {
			continue
		}
		rest, limit, limited := strings.Cut(rest, "!") // one that is in an address is written %21 (RFC 7489 6.2)
		rest, _, _ = strings.Cut(rest, "?")
		text, err := url.PathUnescape(rest)
		most := int64(0)
		if err == nil && limited {
			most, err = reportLimit(limit)
		}
		if err != nil {
			continue
		}
		address, err := parseAddress("rua", text)
		if err != nil || address.Address != text {
			continue
		}
		list = append(list, reportTarget{addressee: newAddressee(address), most: most})
	}
	return list
}

// reportLimit reads a size such as 10m (RFC 7489 6.4).
func reportLimit(text string) (int64, error) {
	unit := int64(1)
	if n := len(text); n > 0 {
		if i := strings.IndexByte("kmgt", text[n-1]|0x20); i >= 0 {
			unit, text = 1<<(10*(i+1)), text[:n-1]
		}
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return max(int64(n)*unit, 1), err
}

// agrees tells whether a target takes reports about a domain: it is of that domain, or of its organization, or says so
// in the DNS (RFC 7489 7.1, RFC 9990 4). A record may name another address of the same host instead.
func (s *Service) agrees(ctx context.Context, domain string, target *reportTarget, resolver zone.Resolver) (bool,
	error) {
	if within(target.domain, domain) {
		return true, nil
	}
	if within(domain, target.domain) {
		texts, err := textsAt(ctx, resolver, "_dmarc."+target.domain)
		if p, ok := sender.ParseReportPolicy(texts); err != nil || ok && !p.Suffix {
			return err == nil, err
		}
	}
	texts, err := textsAt(ctx, resolver, domain+"._report._dmarc."+target.domain)
	if err != nil {
		return false, err
	}
	for _, text := range texts {
		version, _, _ := strings.Cut(text, ";")
		if key, value, _ := strings.Cut(version, "="); strings.TrimSpace(key) != "v" ||
			strings.TrimSpace(value) != "DMARC1" {
			continue
		}
		for part := range strings.SplitSeq(text, ";") {
			key, value, _ := strings.Cut(part, "=")
			if strings.TrimSpace(key) != "rua" {
				continue
			}
			for _, other := range parseTargets(value) {
				if other.domain == target.domain {
					*target = other
					return true, nil
				}
			}
		}
		return true, nil
	}
	return false, nil
}

// within tells whether a name is a domain, or below it.
func within(name, domain string) bool { return name == domain || strings.HasSuffix(name, "."+domain) }
