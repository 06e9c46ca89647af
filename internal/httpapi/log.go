package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// logs holds the verbs that read the deployment's logs.
type logs interface {
	Rejects(ctx context.Context, in service.Access, q service.RejectsQuery) (service.List[mailbox.Reject], error)
	Audits(ctx context.Context, in service.Access, q service.AuditsQuery) (service.List[mailbox.Audit], error)
	EachAudit(ctx context.Context, in service.Access, after int64, fn func(mailbox.Audit) error) error
	VerifyAudits(ctx context.Context, in service.Access) (service.AuditReport, error)
}

func (a *API) rejects(c *call) error {
	return answerTo(a, c, c.rejectsQuery, a.svc.Rejects, formPage(wire.NewRejects))
}

func (a *API) activity(c *call) error {
	return answerTo(a, c, c.params.limit, a.svc.Activity, wire.NewActivity)
}

func (a *API) audit(c *call) error {
	switch format, err := c.params.text("format"); {
	case err != nil:
		return err
	case format == "jsonl", format == "" && strings.HasPrefix(c.Header.Get("Accept"), jsonLines):
		return a.exportAudit(c)
	case format != "" && format != "json":
		return mailbox.InvalidField("format", "The format is json or jsonl.")
	}
	return answerTo(a, c, c.auditsQuery, a.svc.Audits, formPage(wire.NewAudits))
}

// rejectsQuery is which refused mail is asked for.
func (c *call) rejectsQuery() (q service.RejectsQuery, err error) {
	if err = c.params.texts(named{"query", &q.Words}, named{"stage", &q.Stage}); err == nil {
		q.Page, err = c.params.page()
	}
	return q, err
}

// auditsQuery is which entries of the audit log are asked for.
func (c *call) auditsQuery() (q service.AuditsQuery, err error) {
	if q.Words, err = c.params.text("query"); err == nil {
		q.Changes, err = c.params.set("changes")
	}
	if err == nil {
		q.Page, err = c.params.page()
	}
	return q, err
}

const jsonLines = "application/x-ndjson"

// exportAudit writes the audit log as lines of JSON, oldest first, while it is read.
func (a *API) exportAudit(c *call) error {
	var after int64
	if text, err := c.params.text("after"); err != nil {
		return err
	} else if text != "" {
		if after, err = strconv.ParseInt(text, 10, 64); err != nil || after < 0 {
			return mailbox.InvalidField("after", "after is the seq of an entry.")
		}
	}
	if err := c.hold(exportPiece); err != nil {
		return err
	}
	c.out.Header().Set("Content-Type", jsonLines)
	c.out.Header()["Cache-Control"] = noStore
	w := bufio.NewWriterSize(c.out, exportPiece)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	err := a.svc.EachAudit(c.Context(), c.in, after, func(e mailbox.Audit) error {
		return lines.Encode(wire.NewChainedAudit(e))
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil && c.out.status != 0 {
		a.note(c, c.out.status, err)
		panic(http.ErrAbortHandler) // nobody is to take a part of the log for all of it
	}
	return err
}

func (a *API) verifyAudit(c *call) error {
	r, err := a.svc.VerifyAudits(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewAuditReport(r.AuditCheck, r.Head, r.AuditEnds.Base))
}
