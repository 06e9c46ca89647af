package httpapi

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/zone"
)

// posted is a draft as the fake got it: with the verb, the mailbox, and what the attachments hold, which it reads
// twice, as the service may.
type posted struct {
	Verb, Mailbox string
	Draft         mailbox.Draft
	Contents      []string
}

// keepContent is how much of an attachment the fake remembers.
const keepContent = 1000

func (f *fake) post(ctx context.Context, in service.Access, verb string, d mailbox.Draft) (service.Sending, error) {
	p := posted{Verb: verb, Mailbox: in.Box.Address, Draft: d}
	if err := f.open(&p); err != nil {
		return service.Sending{}, err
	}
	if f.delay > 0 {
		select {
		case <-time.After(f.delay):
		case <-ctx.Done():
			return service.Sending{}, ctx.Err()
		}
	}
	if err := f.did(p); err != nil {
		return service.Sending{}, err
	}
	if d.DryRun {
		return service.Sending{Preview: f.preview}, nil
	}
	return service.Sending{ID: fakeID, Thread: fakeID, MessageID: "1@mailkin.example", Status: mailbox.Queued}, nil
}

// open reads the attachments of a draft.
func (f *fake) open(p *posted) error {
	if f.unread {
		return nil
	}
	p.Draft.Attachments = slices.Clone(p.Draft.Attachments)
	for i, a := range p.Draft.Attachments {
		for range 2 {
			start, size, err := content(a)
			if err != nil || size != a.Size {
				return fmt.Errorf("%d bytes, not %d: %w", size, a.Size, err)
			}
			if len(p.Contents) == i {
				p.Contents = append(p.Contents, start)
			}
		}
		p.Draft.Attachments[i].Open = nil
	}
	return nil
}

// content returns the start of an attachment and how many bytes it has.
func content(a mailbox.Attachment) (string, int64, error) {
	file, err := a.Open()
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = file.Close() }()
	start, err := io.ReadAll(io.LimitReader(file, keepContent))
	if err != nil {
		return "", 0, err
	}
	n, err := io.Copy(io.Discard, file)
	return string(start), n + int64(len(start)), err
}

func (f *fake) Upload(service.Access, int64) (*service.Upload, error) { return nil, nil }

func (f *fake) Send(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error) {
	return f.post(ctx, in, "send", d)
}

func (f *fake) Reply(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error) {
	return f.post(ctx, in, "reply", d)
}

func (f *fake) Forward(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error) {
	return f.post(ctx, in, "forward", d)
}

func (f *fake) Cancel(_ context.Context, _ service.Access, id mailbox.ID, recipient string) (service.Cancellation,
	error) {
	return service.Cancellation{ID: id, Status: "canceled", Canceled: []string{"ann@x.example"}}, f.did(recipient)
}

func (f *fake) HearProvider(_ context.Context, p service.ProviderWord) error { return f.did(p) }

func (f *fake) Suppressions(_ context.Context, _ service.Access, q service.SuppressionsQuery) (
	service.List[mailbox.Suppression], error) {
	return service.List[mailbox.Suppression]{Items: []mailbox.Suppression{
		{Address: "gone@x.example", Reason: "bounce", Detail: "no <such> user", Message: fakeID, At: fakeTime}},
		Next: "next"}, f.did(q)
}

func (f *fake) AddSuppressions(_ context.Context, _ service.Access, n service.NewSuppressions) (
	service.AddedSuppressions, error) {
	return service.AddedSuppressions{Added: 2, Present: 1}, f.did(n)
}

var listed = mailbox.Listed{Pattern: "*.x.example", Note: "n", ExpiresAt: fakeTime, CreatedAt: fakeTime}

func (f *fake) List(_ context.Context, _ service.Access, l service.ListOf, p service.Page) (
	service.List[mailbox.Listed], error) {
	return service.List[mailbox.Listed]{Items: []mailbox.Listed{listed}}, f.did([]any{l, p})
}

func (f *fake) PutListed(_ context.Context, _ service.Access, n service.NewListed) (mailbox.Listed, error) {
	return listed, f.did(n)
}

func (f *fake) DeleteListed(_ context.Context, _ service.Access, l service.ListOf, value string) (string, error) {
	return value, f.did([]any{l, value})
}

var quarantined = mailbox.Quarantined{Message: mailbox.Message{ID: fakeID, Thread: fakeID, Subject: "s",
	ReceivedAt: fakeTime, Size: 7}, Address: "wren@mailkin.example", ExpiresAt: fakeTime,
	Refusal: mailbox.Refusal{List: mailbox.ReceiveBlock, Deployment: true}}

func (f *fake) Quarantine(_ context.Context, _ service.Access, p service.Page) (service.List[mailbox.Quarantined],
	error) {
	return service.List[mailbox.Quarantined]{Items: []mailbox.Quarantined{quarantined}}, f.did(p)
}

func (f *fake) QuarantinedMessage(_ context.Context, _ service.Access, id mailbox.ID) (service.FullMessage, error) {
	return f.full(), f.did(id)
}

func (f *fake) Release(_ context.Context, _ service.Access, id mailbox.ID) (mailbox.Receipt, error) {
	return mailbox.Receipt{ID: id, Mailbox: "wren@mailkin.example"}, f.did(id)
}

func (f *fake) DeleteQuarantined(_ context.Context, _ service.Access, id mailbox.ID) error {
	return f.did(id)
}

func (f *fake) DeleteSuppression(_ context.Context, _ service.Access, address string) error {
	return f.did(address)
}

// ownedDomain is the domain that the fake has, and plan what it is to have in the DNS.
var (
	ownedDomain = mailbox.Domain{ID: fakeID, Name: "brought.example", MX: true, DMARC: true, CreatedAt: fakeTime}
	plan        = zone.Plan{Domain: "brought.example", Hostname: "mx.mailkin.example", Token: "token",
		Selectors: []zone.Selector{
			{Name: "mk", Record: "v=DKIM1; k=rsa; p=AAAA"}, {Name: "mke", Record: "v=DKIM1; k=ed25519; p=BBBB"}}}
)

func (f *fake) Domains(context.Context, service.Access) ([]mailbox.Domain, error) {
	verified := ownedDomain
	verified.VerifiedAt = fakeTime.Add(time.Hour)
	return []mailbox.Domain{ownedDomain, verified}, f.did(nil)
}

func (f *fake) AddDomain(_ context.Context, _ service.Access, name string) (service.DomainRecord, error) {
	return service.DomainRecord{Domain: ownedDomain, Records: plan.Records(), Instructions: "Publish <these>."},
		f.did(name)
}

func (f *fake) Domain(_ context.Context, in service.Access, id mailbox.ID) (service.DomainRecord, error) {
	p := plan
	p.Own = in.Caller.Scope == mailbox.Operator
	return service.DomainRecord{Domain: ownedDomain, Records: p.Records()}, f.did(id)
}

func (f *fake) VerifyDomain(_ context.Context, _ service.Access, id mailbox.ID) (service.DomainCheck, error) {
	records := plan.Records()
	return service.DomainCheck{Domain: ownedDomain, Message: "Not yet.", Findings: zone.Findings{
			{Record: records[0]}, {Record: records[1], Found: []string{"10 mx.mailkin.example"}, Verified: true}}},
		f.did(id)
}

func (f *fake) DomainSheet(_ context.Context, _ service.Access, id mailbox.ID) (service.DomainSheet, error) {
	records := plan.Records()
	findings := zone.Findings{{Record: records[0], Problem: "There is nothing there."},
		{Record: records[1], Found: []string{"10 mx.mailkin.example"}, Verified: true}}
	return service.DomainSheet{Domain: ownedDomain, Hostname: plan.Hostname, Findings: findings,
		ZoneFile: plan.ZoneFile(findings[1:])}, f.did(id)
}

func (f *fake) DomainReports(_ context.Context, _ service.Access, q service.ReportQuery) (service.DomainReports,
	error) {
	rows := []mailbox.ReportRow{{Source: "192.0.2.1", Result: "pass", Detail: "dkim=pass", Count: 2}}
	r := mailbox.DomainReport{Kind: mailbox.ReportDMARC, Reporter: "there.example", Authentic: true,
		Organization: "There", ID: "1", About: "brought.example", Begin: fakeTime, End: fakeTime, ReceivedAt: fakeTime,
		Passed: 2, Rows: rows}
	return service.DomainReports{List: service.List[mailbox.DomainReport]{Items: []mailbox.DomainReport{r}, Next: "n"},
		Passed: 2, Sources: rows}, f.did(q)
}

func (f *fake) TransportPolicy(host string) (string, error) {
	return "version: STSv1\n", f.did(host)
}

func (f *fake) RenewDomainKeys(_ context.Context, _ service.Access, id mailbox.ID, _ bool) (service.DomainRecord,
	error) {
	broken := ownedDomain
	broken.Problem = "Broken."
	return service.DomainRecord{Domain: broken, Records: plan.Records()}, f.did(id)
}

func (f *fake) Problems(context.Context, service.Access) ([]service.Problem, error) {
	return []service.Problem{{Check: "keys of x", Severe: true, Found: "sealed", Next: "Rekey."},
		{Check: "domain y", Found: "lapsed", Next: "Wait."}}, f.did(nil)
}

func (f *fake) DeleteDomain(_ context.Context, _ service.Access, id mailbox.ID) error {
	return f.did(id)
}

var queuedDelivery = service.QueuedDelivery{Address: ownAddress, Delivery: mailbox.Delivery{Message: fakeID, N: 2,
	Recipient: "ann@x.example", Destination: "x.example", Status: mailbox.OnHold, Code: 451, Text: "later",
	QueuedAt: fakeTime}}

func (f *fake) Queue(_ context.Context, _ service.Access, q service.QueueQuery) (service.List[service.QueuedDelivery],
	error) {
	return service.List[service.QueuedDelivery]{Items: []service.QueuedDelivery{queuedDelivery}, Next: "next"}, f.did(q)
}

func (f *fake) QueuedDelivery(_ context.Context, _ service.Access, id mailbox.ID) (service.QueuedDelivery, error) {
	return queuedDelivery, f.did(id)
}

func (f *fake) QueueSums(context.Context, service.Access) ([]mailbox.QueueSum, error) {
	return []mailbox.QueueSum{{Destination: "x.example", Deliveries: 2, OnHold: 1, OldestAt: fakeTime}}, f.did(nil)
}

func (f *fake) ChangeQueue(_ context.Context, _ service.Access, c service.QueueChange) (service.QueueChanged, error) {
	return service.QueueChanged{Changed: 2, Unchanged: 1}, f.did(c)
}
