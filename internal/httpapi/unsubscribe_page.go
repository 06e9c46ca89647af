package httpapi

import (
	"context"
	_ "embed" // the page
	"html/template"
	"net/http"

	"github.com/mailkin/mailkin/internal/service"
)

// unsubscribers holds the verbs of recipients who want no more mail.
type unsubscribers interface {
	ShowUnsubscribe(ctx context.Context, token string) (service.Unsubscription, error)
	Unsubscribe(ctx context.Context, token string) (service.Unsubscription, error)
}

//go:embed page/unsubscribe.html
var unsubscribeHTML string

// unsubscribeView is what the page says.
type unsubscribeView struct {
	Title, Problem, Text string
	Ask                  bool
}

// Style is the page's own, which its policy knows by its hash.
func (unsubscribeView) Style() template.CSS { return template.CSS(pageCSS) }

// showUnsubscribe asks. It changes nothing: links are opened by programs too.
func (a *API) showUnsubscribe(c *call) error {
	u, err := a.svc.ShowUnsubscribe(c.Context(), c.value)
	if err != nil {
		return err
	}
	return a.unsubscribePage(c, u)
}

// unsubscribe is the button of the page, and the one click of mail programs (RFC 8058).
func (a *API) unsubscribe(c *call) error {
	u, err := a.svc.Unsubscribe(c.Context(), c.value)
	if err != nil {
		return err
	}
	return a.unsubscribePage(c, u)
}

func (a *API) unsubscribePage(c *call, u service.Unsubscription) error {
	view := unsubscribeView{Title: "Unsubscribe?", Ask: true,
		Text: service.Visible(u.Recipient + " gets mail from " + u.Sender + ".")}
	if u.Done {
		view = unsubscribeView{Title: "Unsubscribed",
			Text: service.Visible(u.Recipient + " gets no more mail from " + u.Sender + ". You can close this page.")}
	}
	return a.showPage(c, http.StatusOK, a.leaves, view)
}
