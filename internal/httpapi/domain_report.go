package httpapi

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

func (a *API) domainReports(c *call) error {
	return answerTo(a, c, c.reportQuery, a.svc.DomainReports, func(r service.DomainReports) api.DomainReports {
		return wire.NewDomainReports(r.Items, r.Next, wire.NewReportTotals(r.Passed, r.Failed, r.Sources))
	})
}

func (c *call) reportQuery() (q service.ReportQuery, err error) {
	if q.Domain, err = c.domainID(); err != nil {
		return q, err
	}
	if err = c.params.texts(named{"kind", &q.Kind}, named{"reporter", &q.Reporter}); err != nil {
		return q, err
	}
	if q.From, err = c.params.moment("from"); err != nil {
		return q, err
	}
	if q.To, err = c.params.moment("until"); err != nil {
		return q, err
	}
	q.Page, err = c.params.page()
	return q, err
}
