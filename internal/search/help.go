package search

import (
	"fmt"
	"strings"
)

// helpLines are the query language, line by line: what is typed and what it finds. A test parses every one of them.
var helpLines = [...][2]string{
	{`invoice kim`, "mail with both words, anywhere: subject, sender, recipients, text, attachments"},
	{`inv`, "the last word also finds longer ones that begin so, in subject, sender, recipients and file names"},
	{`inv*`, "the same for any word; two characters before it at least: s* finds the word s alone"},
	{`"order confirmed"`, "the words one after the other"},
	{`invoice -draft`, "without a word; NOT draft is the same"},
	{`invoice OR receipt`, "one of them; | is the same. It binds tighter than a space: a b OR c is a and one of b, c"},
	{`(kim invoice) OR lee`, "parentheses group"},
	{`from:kim@example.com`, "sender: an address, a domain, or parts of them, or a name"},
	{`to:"Kim Lee"`, "a recipient, also cc and bcc"},
	{`subject:(order OR invoice)`, "words in the subject; also body:, filename:, filetext:"},
	{`label:code`, "with a label"},
	{`has:attachment`, "with an attachment; also has:code, has:link"},
	{`is:unseen`, "not yet seen; also is:seen, is:unread, is:read"},
	{`in:sent`, "mail that was sent; in:inbox is mail that was received"},
	{`before:2026-03-01`, "received before that day (UTC) or time (RFC 3339)"},
	{`after:7d`, "received since; 12h, 7d, 2w, 3m, 1y count back from now; today, yesterday"},
}

// Help is the query language as a table, for people.
func Help() string {
	var b strings.Builder
	for _, l := range helpLines {
		fmt.Fprintf(&b, "%-28s %s\n", l[0], l[1])
	}
	b.WriteString("\nUpper and lower case, accents and widths do not count. What is not understood is searched for " +
		"as plain words.\n")
	return b.String()
}
