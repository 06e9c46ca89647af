package htmlcheck

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	if len(table()) < 40 {
		t.Fatalf("the table has %d rows", len(table()))
	}
	for _, r := range table() {
		if len(r.support) != len(Programs()) || strings.Trim(r.support, "ypn") != "" {
			t.Errorf("%s: %q is not y, p or n for each program", r.slug, r.support)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, markup string
		elements     int
		has          string // the slug of a feature that is found
		first        string
	}{
		{"nothing", "", 0, "", ""},
		{"plain", "<p>Hello <b>you</b></p>", 2, "", ""},
		{"elements", "<p>x</p><iframe></iframe><style>p { color: red }</style>", 3, "html-style", "html-iframe"},
		{"unclosed", "<p style=\"display:flex", 0, "", ""},
	} {
		got := Check(tt.markup)
		slugs := ""
		for _, f := range got.Features {
			slugs += " " + f.Slug
		}
		if got.Elements != tt.elements || tt.has != "" && !strings.Contains(slugs, tt.has) ||
			!strings.HasPrefix(strings.TrimSpace(slugs), tt.first) {
			t.Errorf("%s: %d elements, %s", tt.name, got.Elements, slugs)
		}
		if sum := got.Supported + got.Partial + got.Unsupported; sum < 99.9 || sum > 100.1 {
			t.Errorf("%s: the parts are %f %%", tt.name, sum)
		}
	}
}

func TestLinks(t *testing.T) {
	list := Links("See https://a.example/x. And http://[bad]/", `<a href="https://a.example/x">x</a>
		<img src="https://b.example/p.png"><a href="mailto:x@y">m</a>`)
	var got []string
	for _, l := range list {
		got = append(got, l.In+" "+l.URL)
		if l.OK == strings.Contains(l.URL, "[") {
			t.Errorf("%s: %v", l.URL, l.OK)
		}
	}
	want := "a https://a.example/x|img https://b.example/p.png|text http://[bad]/"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}
