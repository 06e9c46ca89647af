package link

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// finder gathers the links of a mail.
type finder struct {
	header  []string // List-Unsubscribe
	subject string
	means   *lexicon.Set // of the subject, once it was read

	found []finding
	index map[string]int // by URL; shown for addresses that are no links
}

// shown marks an address that an anchor shows as its text.
const shown = -1

// finding is a link, and what is known of it in case no link says plainly what the mail is about.
type finding struct {
	Link
	clue
	open   bool   // nothing about it was said
	button bool   // its text says something, but not what it is for
	hint   Kind   // a guess by the sentences before it
	shows  string // the domain that its text names, where the target has another
}

func (f *finder) subjectMeans() lexicon.Set {
	if f.means == nil {
		const longest = 1_000
		s := texts().In(f.subject[:min(len(f.subject), longest)])
		f.means = &s
	}
	return *f.means
}

// page takes the links of a page.
func (f *finder) page(p page, html bool) {
	for i := range p.spans {
		if len(f.found) == maxLinks {
			return
		}
		f.span(&p, i)
	}
	if html {
		for _, u := range p.shown {
			if _, ok := f.index[u]; !ok {
				f.index[u] = shown
			}
		}
	}
}

// span takes one link, or what it adds to one that was met before.
func (f *finder) span(p *page, i int) {
	s := p.spans[i]
	if s.url == "" {
		return
	}
	at, met := f.index[s.url]
	if met && at == shown && s.bare {
		return
	}
	if met && at != shown && f.found[at].Kind != Other {
		f.found[at].compare(clip(p.seen(i)), len(f.header) > 0)
		return
	}
	l := f.judge(p, i)
	if !met || at == shown {
		f.index[s.url] = len(f.found)
		f.found = append(f.found, l)
		return
	}
	old := &f.found[at]
	if l.Mismatch = l.Mismatch || old.Mismatch; old.shows != "" {
		l.shows = old.shows
	}
	old.Mismatch, old.shows = l.Mismatch, l.shows
	if l.Kind != Other || old.Text == "" || old.silent && !l.silent {
		*old = l
	}
}

// judge decides about one link.
func (f *finder) judge(p *page, i int) finding {
	s := p.spans[i]
	label := p.seen(i)
	l := finding{Link: Link{URL: s.url, Text: clip(label), Kind: Other}}
	l.silent = s.bare && s.label == "" || label == "" || addressOnly(l.Text)
	l.blank = label == ""
	if !l.silent {
		l.own = texts().In(l.Text)
	}
	if slices.Contains(f.header, s.url) {
		l.Kind = Unsubscribe
	} else {
		l.clue.url = examine(s.url)
		l.subject = f.subjectMeans()
		l.decide(p, i)
	}
	l.compare(l.Text, len(f.header) > 0)
	return l
}

// compare looks for a mismatch between a text of the link and its target.
func (l *finding) compare(text string, listed bool) {
	if l.Mismatch {
		return
	}
	shows, tracked := mismatch(text, l.URL)
	if shows != "" {
		l.shows, l.Mismatch = shows, !(listed && tracked)
	}
}

// decide sets the kind, and whether the subject may decide.
func (l *finding) decide(p *page, i int) {
	if k, ok := l.plain(); ok {
		l.Kind = k
		return
	}
	if !l.silent && !vague(l.own) {
		return
	}
	worded := l.worded()
	if worded && !l.clue.url.secret {
		return
	}
	n := p.around(i, l.blank)
	k, ok := l.told(n)
	if ok && (!worded || k == Other) {
		l.Kind = k
		return
	}
	l.open, l.button, l.hint = l.carries() && !n.own.Any(alarm|away|leave|business), worded, k
}

// fallback lets a guess decide, then the subject, where nothing else did.
func (f *finder) fallback() {
	if len(f.found) == 0 {
		return
	}
	if slices.ContainsFunc(f.found, func(l finding) bool { return l.Kind.acts() }) {
		return
	}
	if i := slices.IndexFunc(f.found, func(l finding) bool { return l.open && l.hint.acts() }); i >= 0 {
		f.found[i].Kind = f.found[i].hint
		return
	}
	k := settle(f.subjectMeans())
	if !k.acts() || f.subjectMeans().Any(alarm) {
		return
	}
	for chance := range 3 {
		for i := range f.found {
			l := &f.found[i]
			if l.open && l.chance() == chance && (k != SignIn || !l.button && l.signsIn(l.own)) {
				l.Kind = k
				return
			}
		}
	}
}

// chance ranks what the subject may be about: links that say nothing, then those that say something else, then those
// that show no text, such as logos.
func (l *finding) chance() int {
	switch {
	case l.blank:
		return 2
	case l.button:
		return 1
	}
	return 0
}

func (f *finder) has(k Kind) bool {
	return slices.ContainsFunc(f.found, func(l finding) bool { return l.Kind == k })
}

func (f *finder) links() []Link {
	links := make([]Link, len(f.found))
	for i := range f.found {
		links[i] = f.found[i].Link
	}
	return links
}

// addressOnly tells whether a visible text is an address, and so says nothing else.
func addressOnly(text string) bool {
	return strings.IndexByte(text, ' ') < 0 && (schemeLength(text) > 0 || hasPrefixFold(text, "www."))
}

// clip folds the white space of what a reader sees, and cuts it.
func clip(s string) string {
	const enough = maxText * utf8.UTFMax * 2
	s = s[:min(len(s), enough)]
	if strings.ContainsAny(s, "\n\t\r\x00") || strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(strings.ReplaceAll(s, "\x00", "")), " ")
	} else {
		s = strings.TrimSpace(s)
	}
	n := 0
	for i := range s {
		if n++; n > maxText {
			return s[:i]
		}
	}
	return strings.ToValidUTF8(s, "")
}
