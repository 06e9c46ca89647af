package browser

import (
	"context"
	_ "embed"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// visibleScript measures what a person sees of a page.
//
//go:embed testdata/visible.js
var visibleScript string

// renderer shows mail bodies in the reference rendering: 800 pixels wide, light, no scripts, no pictures, details open.
type renderer struct {
	t     testing.TB
	ctx   context.Context
	frame cdp.FrameID

	before string // the body that was shown last
}

func newRenderer(t testing.TB) *renderer {
	t.Helper()
	ctx := newProfile(t)
	r := &renderer{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ask(r, network.Enable, network.EnableParams{})
	ask(r, page.Enable, page.EnableParams{})
	ask(r, network.SetBlockedURLs, network.SetBlockedURLsParams{
		URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/*", Block: true}}})
	ask(r, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	ask(r, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 800, Height: 1000, DeviceScaleFactor: 1})
	ask(r, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "screen",
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}})
	r.frame = ask(r, page.GetFrameTree, cdp.Empty{}).FrameTree.Frame.ID
	return r
}

func ask[P, R any](r *renderer, cmd cdp.Command[P, R], params P) R {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	v, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

var (
	doctype      = regexp.MustCompile(`(?i)^\s*<!doctype[^>]*>`)
	colourScheme = regexp.MustCompile(`(?i)color-scheme`)
)

// show puts a mail body into the window. Whatever its doctype, it is laid out in standards mode, as webmail does.
func (r *renderer) show(body string) {
	r.t.Helper()
	body = "<!DOCTYPE html>" + doctype.ReplaceAllString(strings.TrimPrefix(body, "\ufeff"), "")
	if colourScheme.MatchString(r.before) { // a page's colour scheme stays for the next
		ask(r, page.Navigate, page.NavigateParams{URL: "about:blank"})
	}
	r.before = body
	ask(r, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: r.frame, HTML: body})
}

// visible returns the text that a person sees of a mail body, and what is on the screen without being text of the page,
// as pictures' alternative text.
func (r *renderer) visible(body string) (text, also string) {
	r.t.Helper()
	r.show(body)
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[struct{ Text, Also, Mode string }](visibleScript))
	if err != nil {
		r.t.Fatal(err)
	}
	if v.Mode != "CSS1Compat" {
		r.t.Fatalf("laid out in the mode %s", v.Mode)
	}
	return v.Text, v.Also
}
