package reply

import "github.com/mailkin/mailkin/internal/view"

// Mail is what is looked at.
type Mail struct {
	Text  string     // the body as text (plain part, or made from HTML)
	View  *view.View // the HTML body, nil if there is none
	Plain bool       // Text is the sender's own plain part, not made from HTML
}

// Text returns what was written. inline says that the answer is between the quoted lines; then quoted lines are kept
// where the answers need them.
func Text(m Mail) (text string, inline bool) {
	page, ok := splitHTML(m.View, false)
	// QUIRK: where a relay has added an HTML footer to a plain mail, HTML is the footer alone.
	if !ok || !m.Plain && !sameBeginning(m.Text, page) {
		return read(splitText(m.Text)).result()
	}
	html := read(page)
	if html.text == "" {
		page, _ = splitHTML(m.View, true)
		html = read(page)
	}
	if m.Plain {
		html = reconcile(read(splitText(m.Text)), html)
	}
	return html.result()
}

// reading is what was found in one rendering of a mail.
type reading struct {
	text    string
	inline  bool
	history bool // there was some
	signed  bool // an element says that there was a signature
}

func (r reading) result() (text string, inline bool) { return r.text, r.inline }
