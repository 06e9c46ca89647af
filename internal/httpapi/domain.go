package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// domains holds the verbs about domains.
type domains interface {
	Domains(ctx context.Context, in service.Access) ([]mailbox.Domain, error)
	AddDomain(ctx context.Context, in service.Access, name string) (service.DomainRecord, error)
	Domain(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainRecord, error)
	VerifyDomain(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainCheck, error)
	DomainSheet(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainSheet, error)
	DomainReports(ctx context.Context, in service.Access, q service.ReportQuery) (service.DomainReports, error)
	TransportPolicy(host string) (string, error)
	RenewDomainKeys(ctx context.Context, in service.Access, id mailbox.ID, atOnce bool) (service.DomainRecord, error)
	DeleteDomain(ctx context.Context, in service.Access, id mailbox.ID) error
}

func (a *API) domains(c *call) error {
	list, err := a.svc.Domains(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewDomains(list))
}

func (a *API) addDomain(c *call) error {
	name, err := c.fields.word("domain")
	if err != nil {
		return err
	}
	made, err := a.svc.AddDomain(c.Context(), c.in, name)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, newDomainRecord(made))
}

func (a *API) domain(c *call) error {
	return answerTo(a, c, c.domainID, a.svc.Domain, newDomainRecord)
}

func newDomainRecord(d service.DomainRecord) api.DomainRecord {
	return wire.NewDomainRecord(d.Domain, d.Records, d.Next, d.Instructions)
}

func (a *API) verifyDomain(c *call) error {
	return answerTo(a, c, c.domainID, a.svc.VerifyDomain, func(d service.DomainCheck) api.DomainCheck {
		return wire.NewDomainCheck(d.Domain, d.Findings, d.Former, d.Message)
	})
}

func (a *API) renewDomainKeys(c *call) error {
	atOnce, err := c.fields.flag("now")
	if err != nil {
		return err
	}
	return answerTo(a, c, c.domainID, func(ctx context.Context, in service.Access, id mailbox.ID) (service.DomainRecord,
		error) {
		return a.svc.RenewDomainKeys(ctx, in, id, atOnce != nil && *atOnce)
	}, newDomainRecord)
}

func (a *API) deleteDomain(c *call) error {
	id, err := c.domainID()
	if err != nil {
		return err
	}
	if err := a.svc.DeleteDomain(c.Context(), c.in, id); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Done{OK: true})
}

// domainID is the domain that the path names.
func (c *call) domainID() (mailbox.ID, error) { return parseID("Domain", c.value) }
