package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/view/viewtest"
)

// tableMail is a mail of a table. A mail with HTML alone, or with a plain part as well.
func tableMail(k viewtest.Kind, plain, html string) []byte {
	subject := map[string]string{"code": "Your Acme code", "link": "Your Acme account", "record": "Order confirmation",
		"text": "The review", "alone": "The review"}[k.Name]
	head := "From: Acme <no-reply@acme.example>\r\nTo: robin@example.com\r\nSubject: " + subject +
		"\r\nMIME-Version: 1.0\r\n"
	if plain == "" {
		return []byte(head + "Content-Type: text/html; charset=utf-8\r\n\r\n" + html)
	}
	return []byte(head + "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; " +
		"charset=utf-8\r\n\r\n" + plain +
		"\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html + "\r\n--b--\r\n")
}

// given is where values of a mail come out, and what comes out there.
func given(raw []byte) (places map[string]string, findings []string, defects []string) {
	m, d, found := service.Understood(raw)
	var links []string
	for _, l := range d.Links {
		links = append(links, l.URL, l.Text)
	}
	for _, f := range d.Screening.Findings {
		findings = append(findings, f.Rule)
	}
	return map[string]string{"code": m.Code + fmt.Sprint(d.CodeCandidates), "links": strings.Join(links, " "),
		"record": fmt.Sprintf("%+v", found),
		"text":   d.Text, "reply": d.ReplyText, "snippet": m.Snippet}, findings, d.Defects
}

// placeOf is where a value of a kind belongs.
var placeOf = map[string]string{"code": "code", "link": "links", "record": "record", "text": "text", "alone": "text"}

func has(text string, v viewtest.Value) bool {
	return hasPart(text, append(slices.Clone(v.Needles), v.Datum))
}

func hasPart(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(n string) bool { return n != "" && strings.Contains(text, n) })
}

// Hidden values come out nowhere, and screening says that there was one; visible ones come out where they belong.
func TestHiddenTable(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, c := range viewtest.Load(t, "../view/testdata/hidden") {
		kinds := slices.Clone(c.Kinds)
		if kinds[0].Name == "code" {
			kinds = append(kinds, viewtest.Alone)
		}
		for _, k := range kinds {
			places, findings, _ := given(tableMail(k, "", c.Fill(k)))
			for place, text := range places {
				parts := k.Decoy.Needles
				if !c.Elsewhere || place == placeOf[k.Name] {
					parts = append(slices.Clone(parts), k.Decoy.Datum)
				}
				if hasPart(text, parts) {
					t.Errorf("%s: the hidden %s is in %s", c.Name, k.Name, place)
				}
			}
			if k.Name != "text" && !c.AnyFinding && !slices.Contains(findings, "hidden_value") {
				t.Errorf("%s: no finding about the hidden %s: %v", c.Name, k.Name, findings)
			}
			wantGiven(t, c.Name, k, places)
		}
	}
}

// Layouts that hide nothing lose nothing, and raise no finding.
func TestPlainTable(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, c := range viewtest.Load(t, "../view/testdata/plain") {
		for _, k := range c.Kinds {
			places, findings, _ := given(tableMail(k, "", c.Fill(k)))
			if len(findings) > 0 {
				t.Errorf("%s: findings about %s: %v", c.Name, k.Name, findings)
			}
			wantGiven(t, c.Name, k, places)
		}
	}
}

func wantGiven(t *testing.T, name string, k viewtest.Kind, places map[string]string) {
	t.Helper()
	place := placeOf[k.Name]
	want := k.Real.Datum
	if want == "" {
		want = k.Real.Needles[0]
	}
	if !strings.Contains(places[place], want) {
		t.Errorf("%s: the visible %s is not in %s: %s", name, k.Name, place, places[place])
	}
}

// Where the plain part says something else than the HTML, the HTML counts, and the defects say so.
func TestPartsDiffer(t *testing.T) {
	defects := map[string]string{"code": "text-html-code-differs", "link": "text-html-link-differs",
		"record": "text-html-total-differs"}
	for _, k := range viewtest.Kinds[:3] {
		text := func(v viewtest.Value) string { return "Hello Robin,\r\n\r\n" + v.Sentence + " " + v.Href + "\r\n" }
		html := "<p>Hello Robin,</p><p>" + k.Real.Sentence + "</p>"
		if k.Real.Href != "" {
			html = "<p>Hello Robin,</p><p><a href='" + k.Real.Href + "'>" + k.Real.Sentence + "</a></p>"
		}
		for _, c := range []struct {
			plain viewtest.Value
			want  bool
		}{{k.Real, false}, {k.Decoy, true}} {
			places, _, got := given(tableMail(k, text(c.plain), html))
			if slices.Contains(got, defects[k.Name]) != c.want {
				t.Errorf("%s: defects %v", k.Name, got)
			}
			wantGiven(t, "parts", k, places)
			for place, text := range places {
				if c.want && has(text, k.Decoy) {
					t.Errorf("%s of the plain part is given in %s: %s", k.Name, place, text)
				}
			}
		}
	}
}
