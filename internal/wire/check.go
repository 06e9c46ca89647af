package wire

import (
	"math"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/htmlcheck"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewMailCheck returns what was found out about a message, of which html and whole say whether it has HTML and whether
// all of it was looked at.
func NewMailCheck(id mailbox.ID, html, whole bool, r htmlcheck.Result, links []htmlcheck.Link) api.MailCheck {
	return api.MailCheck{EmailID: id.String(), HTML: html, Complete: whole, Elements: r.Elements, Tests: r.Tests,
		Supported: tenth(r.Supported), Partial: tenth(r.Partial), Unsupported: tenth(r.Unsupported),
		Features: each(r.Features, newCheckFeature),
		Links: each(links, func(l htmlcheck.Link) api.CheckLink {
			return api.CheckLink{URL: l.URL, In: l.In, Valid: l.OK}
		})}
}

func newCheckFeature(f htmlcheck.Feature) api.CheckFeature {
	out := api.CheckFeature{Slug: f.Slug, Title: f.Title, Advice: f.Advice, Found: f.Found}
	for i, p := range htmlcheck.Programs() {
		name := p.Name
		if p.Family == "outlook" {
			name += " " + p.Title
		}
		out.Programs = append(out.Programs, api.CheckProgram{Name: name, Support: string(f.Programs[i])})
	}
	return out
}

func tenth(percent float32) float64 { return math.Round(10*float64(percent)) / 10 }
