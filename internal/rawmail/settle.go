package rawmail

import (
	"github.com/mailkin/mailkin/internal/extract/alternative"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/view"
)

// Settle compares the two forms of a body. Where the plain part contradicts the HTML, Text becomes the text of the
// HTML, for whoever reads the message: its page, lists, labels, the index. What differs is noted in Defects.
//
// The plain part stays in the raw message. What is stored beside that is only that the forms were compared and agree,
// so that they need not be compared whenever the message is read.
func Settle(d *mailbox.Detail) {
	if !d.Alternative || d.TextFromHTML || d.Text == "" || d.HTML == "" || d.Compared == alternative.Version {
		return
	}
	v, _ := d.View().(*view.View)
	if v == nil {
		v = view.ReadString(d.HTML)
		d.SetView(func() any { return v })
	}
	defects, replaced := alternative.Compare(alternative.Mail{From: d.Author.Address, FromName: d.Author.Name,
		Subject: d.Subject, Text: d.Text, View: v})
	if len(defects) == 0 {
		d.Compared = alternative.Version
		return
	}
	d.Defects = append(d.Defects, defects...)
	if !replaced {
		return
	}
	d.PlainPart, d.TextTruncated = d.Text, d.HTMLTruncated
	setText(d, v.Text())
}
