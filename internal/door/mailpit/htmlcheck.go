package mailpit

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/htmlcheck"
	"github.com/mailkin/mailkin/internal/service"
)

type htmlCheck struct {
	Platforms map[string][]string
	Total     struct {
		Nodes, Tests                    int
		Supported, Partial, Unsupported float32
	}
	Warnings []warning
}

type warning struct {
	Slug, Title, Description, URL string
	Tags                          []string
	Keywords, Category            string
	NotesByNumber                 map[string]string
	Results                       []clientResult
	Score                         score
}

type clientResult struct{ Family, Platform, Version, Name, Support, NoteNumber string }

type score struct {
	Found                           int
	Supported, Partial, Unsupported float32
}

// htmlCheck says which of the features that a message uses not every mail program has.
func (e *edge) htmlCheck(c *door.Call, in service.Access) error {
	_, _, markup, err := e.read(c, in)
	if err != nil {
		return err
	}
	if markup == "" {
		return bad("message does not contain HTML")
	}
	return c.JSON(http.StatusOK, checkHTML(markup))
}

func checkHTML(markup string) htmlCheck {
	found := htmlcheck.Check(markup)
	out := htmlCheck{Platforms: make(map[string][]string), Warnings: []warning{}}
	out.Total.Nodes, out.Total.Tests = found.Elements, found.Tests
	out.Total.Supported, out.Total.Partial, out.Total.Unsupported = found.Supported, found.Partial, found.Unsupported
	for _, p := range htmlcheck.Programs() {
		if names := out.Platforms[p.Platform]; !slices.Contains(names, p.Name) {
			out.Platforms[p.Platform] = append(names, p.Name)
		}
	}
	for _, f := range found.Features {
		out.Warnings = append(out.Warnings, warn(f))
	}
	return out
}

// warn tells what each mail program does with a feature.
func warn(f htmlcheck.Feature) warning {
	category, _, _ := strings.Cut(f.Slug, "-")
	w := warning{Slug: f.Slug, Title: f.Title, Description: f.Advice, Category: category, Tags: []string{},
		NotesByNumber: map[string]string{}, Score: score{Found: f.Found, Supported: f.Share(htmlcheck.Yes),
			Partial: f.Share(htmlcheck.Partial), Unsupported: f.Share(htmlcheck.No)}}
	for i, p := range htmlcheck.Programs() {
		w.Results = append(w.Results, clientResult{Family: p.Family, Platform: p.Platform, Name: p.Name + " " + p.Title,
			Support: string(f.Programs[i])})
	}
	return w
}
