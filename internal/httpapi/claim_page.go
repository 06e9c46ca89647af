package httpapi

import (
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

//go:embed page/claim.html
var claimHTML string

//go:embed page/frame.html
var frameHTML string

//go:embed page/claim.css
var pageCSS string

// htmlPage is where a person decides something. What it shows comes from strangers: it runs no script, loads nothing,
// and goes into no frame.
type htmlPage struct {
	*template.Template
	policy string
}

func newPage(html string) *htmlPage {
	hash := sha256.Sum256([]byte(pageCSS))
	return &htmlPage{
		Template: template.Must(template.Must(template.New("page").Parse(frameHTML)).Parse(html)),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
			"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
	}
}

// claimView is what the page says.
type claimView struct {
	Title   string
	Problem string // why it did not work
	Text    string
	Ask     *claimQuestion // nil: there is nothing to confirm
}

// Style is the page's own, which its policy knows by its hash.
func (claimView) Style() template.CSS { return template.CSS(pageCSS) }

// claimQuestion is what a person is asked.
type claimQuestion struct {
	service.ShownClaim
	Session string
}

// Renamed tells whether the mailbox gets another address.
func (q claimQuestion) Renamed() bool { return q.Temporary != "" && q.Temporary != q.Address }

// Before tells of the mailbox that had the address before; empty: there was none.
func (q claimQuestion) Before() string {
	if q.RetiredAt.IsZero() {
		return ""
	}
	return "This address " + deletedBefore(q.RetiredAt) + " Mail for its former owner may still come."
}

// newClaimView says of a claim what is asked, or what became of it.
func newClaimView(session string, claim service.ShownClaim) (int, claimView) {
	switch {
	case claim.State == mailbox.ClaimComplete || !claim.DoneAt.IsZero(): // also when its key can no longer be fetched
		return http.StatusOK, confirmedView(claim.Address, true)
	case claim.State == mailbox.ClaimExpired:
		return http.StatusGone, claimView{Title: "Too late", Problem: "This request has expired: it waited ten " +
			"minutes. Nothing was changed; the one who asked can ask again."}
	}
	if claim.Barred {
		return http.StatusConflict, claimView{Title: "This address is not free",
			Problem: "The address " + claim.Address + " " + deletedBefore(claim.RetiredAt) +
				" It cannot be claimed: mail for its former owner may still come. The operator of this service can give " +
				"it out."}
	}
	claim.CreatedAt, claim.ExpiresAt = claim.CreatedAt.UTC(), claim.ExpiresAt.UTC()
	view := claimView{Ask: &claimQuestion{claim, session}}
	switch {
	case claim.Temporary == "":
		view.Title, view.Text = "Make this mailbox?", "An agent asks for a new mailbox that stays."
	case view.Ask.Renamed():
		view.Title, view.Text = "Keep this mailbox?", "An agent asks to keep its temporary mailbox for good, under "+
			"another address."
	default:
		view.Title, view.Text = "Keep this mailbox?", "An agent asks to keep its temporary mailbox for good."
	}
	return http.StatusOK, view
}

// deletedBefore ends a sentence about an address.
func deletedBefore(at time.Time) string {
	return "belonged to a mailbox that was deleted on " + at.UTC().Format("2 January 2006") + "."
}

func confirmedView(address string, already bool) claimView {
	if already {
		return claimView{Title: "Already confirmed", Text: address + " is permanent since it was confirmed before. " +
			"There is nothing left to do."}
	}
	return claimView{Title: "Confirmed", Text: address + " is permanent now, and the agent can fetch its key. You " +
		"can close this page."}
}

// showClaim shows what is asked. It changes nothing: links are opened by programs too.
func (a *API) showClaim(c *call) error {
	if c.params.first("session") == "" {
		return a.explainClaim(c)
	}
	session, err := c.params.session()
	if err != nil {
		return err
	}
	claim, err := a.svc.ShowClaim(c.Context(), session)
	if err != nil {
		return err
	}
	status, view := newClaimView(session, claim)
	return a.claimPage(c, status, view)
}

// explainClaim tells a person who has no link yet how a mailbox is kept for good.
func (a *API) explainClaim(c *call) error {
	var off *mailbox.Error
	if _, err := a.svc.ShowClaim(c.Context(), ""); errors.As(err, &off) && off.Code == "claim_disabled" {
		return err
	}
	return a.claimPage(c, http.StatusOK, claimView{
		Title: "Keep a temporary mailbox",
		Text: "A claim begins with the agent that has the mailbox: run \"mailkin claim\" where it runs, or have it " +
			"call POST /v1/claim/start with its key. " +
			"Either shows a link to this page, on which you confirm.",
	})
}

// submitClaim confirms.
func (a *API) submitClaim(c *call) error {
	session, err := c.form.session()
	if err != nil {
		return err
	}
	token := mailbox.Secret(strings.TrimSpace(c.form.first("token")))
	done, err := a.svc.ConfirmClaim(c.Context(), session, token)
	if err == nil {
		return a.claimPage(c, http.StatusOK, confirmedView(done.Address, done.Already))
	}
	return a.unconfirmed(c, session, token, a.wrongKey(c, token, err))
}

// unconfirmed asks again anyone who sent no token or a wrong one, and says what became of a claim that is over.
func (a *API) unconfirmed(c *call, session string, token mailbox.Secret, err error) error {
	kind := mailbox.KindOf(err)
	refused := kind == mailbox.Unauthorized || kind == mailbox.Denied
	if !refused && kind != mailbox.Conflict {
		return err
	}
	claim, failed := a.svc.ShowClaim(c.Context(), session)
	if failed != nil {
		return failed
	}
	status, view := newClaimView(session, claim)
	switch {
	case view.Ask == nil:
		return a.claimPage(c, status, view)
	case !refused:
		return err
	case token == "":
		view.Problem = "The operator token is needed to confirm this."
	default:
		view.Problem = "That is not the operator token of this service."
	}
	return a.claimPage(c, replies[kind].status, view)
}

// failurePage tells a person what went wrong.
func (a *API) failurePage(c *call, status int, e api.Error) error {
	view := claimView{Title: "This did not work", Problem: e.Error}
	if e.RequestID != "" {
		view.Text = "The log has more about request " + e.RequestID + "."
	}
	return a.claimPage(c, status, view)
}

func (a *API) claimPage(c *call, status int, view claimView) error {
	return a.showPage(c, status, a.page, view)
}

// showPage answers with a page.
func (a *API) showPage(c *call, status int, page *htmlPage, view any) error {
	buf := a.buffer()
	defer a.release(buf)
	if err := page.Execute(buf, view); err != nil {
		return fmt.Errorf("make page: %w", err)
	}
	h := c.out.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", page.policy)
	h.Set("Referrer-Policy", "no-referrer") // the link is a secret
	h.Set("X-Content-Type-Options", "nosniff")
	h["Cache-Control"] = noStore
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	c.out.WriteHeader(status)
	_, _ = c.out.Write(buf.Bytes())
	return nil
}
