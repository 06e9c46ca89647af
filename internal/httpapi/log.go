package httpapi

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// logs holds the verbs that read the deployment's logs.
type logs interface {
	Rejects(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Reject], error)
	Audits(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Audit], error)
}

func (a *API) rejects(c *call) error {
	return answerPage(a, c, a.svc.Rejects, wire.NewRejects)
}

func (a *API) activity(c *call) error {
	return answerTo(a, c, c.params.limit, a.svc.Activity, wire.NewActivity)
}

func (a *API) audit(c *call) error {
	return answerPage(a, c, a.svc.Audits, wire.NewAudits)
}
