package reply

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/view"
)

// sample is a mail and what was written in it.
type sample struct {
	name   string
	mail   Mail
	want   string
	inline bool
}

// plain is a mail with nothing but a plain part.
func plain(lines ...string) Mail { return Mail{Text: strings.Join(lines, "\n"), Plain: true} }

// pages are the documents that were read.
var pages = map[*view.View]string{}

// page is a mail with nothing but HTML.
func page(html string) Mail {
	v := view.ReadString(html)
	pages[v] = html
	return Mail{Text: v.Text(), View: v}
}

func (s sample) run(t *testing.T) {
	t.Run(s.name, func(t *testing.T) {
		got, inline := Text(s.mail)
		if got != s.want || inline != s.inline {
			t.Errorf("got %q, inline %v\nwant %q, inline %v", got, inline, s.want, s.inline)
		}
	})
}

func TestText(t *testing.T) {
	for _, set := range [][]sample{replyMails, inlineMails, forwardMails, signatureMails, keptMails, htmlMails,
		clientMails, clientPages} {
		for _, s := range set {
			s.run(t)
		}
	}
}

// TestTwice says that there is nothing left to take away from what was written.
func TestTwice(t *testing.T) {
	for _, set := range [][]sample{replyMails, forwardMails, signatureMails, keptMails, htmlMails, clientMails,
		clientPages} {
		for _, s := range set {
			if got, _ := Text(plain(s.want)); got != s.want && !s.inline {
				t.Errorf("%s: %q gives %q", s.name, s.want, got)
			}
		}
	}
}

// TestAttributions looks at each line above a history with and without marks, and below no empty line.
func TestAttributions(t *testing.T) {
	for _, a := range attributions {
		sample{a.name + "/quoted", plain(a.wrote, "", a.line, "", "> When shall we", "> meet?"), a.wrote, false}.run(t)
		sample{a.name + "/unmarked", plain(a.wrote, "", a.line, "", "When shall we", "meet?"), a.wrote, false}.run(t)
		sample{a.name + "/tight", plain(a.wrote, a.line, "> When shall we", "> meet?"), a.wrote, false}.run(t)
		quoted := "> " + strings.ReplaceAll(a.line, "\n", "\n> ")
		sample{a.name + "/apple", plain(a.wrote, "", quoted, "> ", "> When shall we", "> meet?"), a.wrote, false}.run(t)
		sample{a.name + "/below", plain(a.line, "> When shall we", "> meet?", "", a.wrote), a.wrote, false}.run(t)
	}
}

// TestWrapped breaks each line wherever a client may break it, also right below what was written.
func TestWrapped(t *testing.T) {
	const narrow = 36
	for _, a := range attributions {
		for i, r := range a.line {
			if r != ' ' || utf8.RuneCountInString(a.line[:i]) < narrow || strings.HasPrefix(a.line[i:], " --") ||
				strings.Contains(a.line, "\n") {
				continue
			}
			line := a.line[:i] + "\n" + a.line[i+1:]
			sample{a.name + "/quoted", plain(a.wrote, "", line, "", "> When?"), a.wrote, false}.run(t)
			sample{a.name + "/unmarked", plain(a.wrote, "", line, "", "When?"), a.wrote, false}.run(t)
			sample{a.name + "/tight", plain("See you at 18:30", line, "> When?"), "See you at 18:30", false}.run(t)
		}
	}
}

func TestHeaderBlocks(t *testing.T) {
	breaks := strings.NewReplacer("<", "&lt;", ">", "&gt;", "\n", "<br>")
	for _, h := range headerBlocks {
		sample{h.name, plain(h.wrote, "", h.block, "", "When shall we", "meet?"), h.wrote, false}.run(t)
		sample{h.name + "/tight", plain(h.wrote, h.block, "", "When shall we meet?"), h.wrote, false}.run(t)
		sample{h.name + "/page", page("<div>" + h.wrote + "</div><p>" + breaks.Replace(h.block) +
			"</p><p>When shall we meet?</p>"), h.wrote, false}.run(t)
		sample{h.name + "/below", plain("> "+strings.ReplaceAll(h.block, "\n", "\n> "), ">", "> When?", "", h.wrote),
			h.wrote, false}.run(t)
		sample{h.name + "/wide", plain(h.wrote, "", "", h.block, "", "", "When shall we meet?"), h.wrote, false}.run(t)
	}
}
