package storetest

import (
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// senderFilters looks for parts of a sender.
func senderFilters(k kit) {
	box, other := k.box("a@x.org"), k.box("o@x.org")
	k.mails(other.Num, 3)
	for subject, from := range map[string]mailbox.Address{
		"a": {Name: "Ada Lovelace", Address: "ada@example.org"},
		"b": {Name: "Bank", Address: "No-Reply@Mail.Bank.example"},
		"c": {Name: "ÄRZTE 100%", Address: "dr_house@example.org"},
		"d": {Name: "", Address: ""},
		"e": {Name: "Ελλάδα", Address: "jürgen@MÜNCHEN.example"},
	} {
		m := sample(box.Num, subject)
		m.From = from
		k.mail(m)
	}
	for _, c := range []struct{ name, from, want string }{
		{"the whole address", "ada@example.org", "a"},
		{"part of the address", "@example.org", "ac"},
		{"upper case in the address", "no-reply@mail.bank", "b"},
		{"the whole name", "ada lovelace", "a"},
		{"part of the name", "a lo", "a"},
		{"upper case in the name", "bank", "b"},
		{"either", "a", "abce"},
		{"not across the two", "lovelaceada", ""},
		{"letters beyond ASCII", "ärzte", "c"},
		{"letters beyond ASCII in the address", "@münchen", "e"},
		{"letters of another script", "ελλά", "e"},
		{"a percent is a percent", "%", "c"},
		{"an underscore is one", "r_h", "c"},
		{"an underscore is no wildcard", "d_", ""},
		{"a quote is a quote", "'", ""},
		{"nobody", "eve", ""},
		{"any", "", "abcde"},
	} {
		if got := sorted(k.subjects(box.Num, store.MessageFilter{From: c.from})); got != c.want {
			k.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// sorted gives subjects of one letter in the order of the alphabet.
func sorted(subjects []string) (out string) {
	for l := 'a'; l <= 'z'; l++ {
		out += strings.Repeat(string(l), strings.Count(strings.Join(subjects, ""), string(l)))
	}
	return out
}

// codeFilters looks for codes that came after a place and that nobody has taken.
func codeFilters(k kit) {
	box, other := k.box("a@x.org"), k.box("o@x.org")
	k.mails(other.Num, 3)
	var stored []mailbox.Message
	for i, m := range []struct {
		code  string
		taken bool
	}{{"1234", false}, {"", false}, {"0", true}, {"5678", true}, {"", true}, {"9012", false}} {
		row := sample(box.Num, string(rune('a'+i)))
		row.Code, row.Taken, row.ReceivedAt = m.code, m.taken, after(time.Duration(i)*time.Hour)
		row.From.Address = row.Subject + "@x.org"
		stored = append(stored, k.mail(row))
		k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, Message: row.ID, At: noon}) // gaps between the places
	}
	type filter = store.MessageFilter
	for _, c := range []struct {
		name string
		f    filter
		want string
	}{
		{"all", filter{}, "fedcba"},
		{"with a code", filter{Code: true}, "fdca"},
		{"not taken", filter{Untaken: true}, "fba"},
		{"with a code that was not taken", filter{Code: true, Untaken: true}, "fa"},
		{"after the first", filter{After: stored[0].Seq}, "fedcb"},
		{"after an event between two", filter{After: stored[2].Seq + 1}, "fed"},
		{"after the one before the last", filter{After: stored[4].Seq}, "f"},
		{"after the last", filter{After: stored[5].Seq}, ""},
		{"far after the last", filter{After: 1<<63 - 1}, ""},
		{"after a negative place", filter{After: -1}, "fedcba"},
		{"after and before", filter{After: stored[1].Seq, Before: stored[4].Seq}, "dc"},
		{"after and before, nothing between", filter{After: stored[1].Seq, Before: stored[2].Seq}, ""},
		{"after above before", filter{After: stored[4].Seq, Before: stored[1].Seq}, ""},
		{"after, the newest first", filter{After: stored[1].Seq, Limit: 2}, "fe"},
		{"after, offset", filter{After: stored[1].Seq, Offset: 3}, "c"},
		{"after, with a code", filter{After: stored[0].Seq, Code: true}, "fdc"},
		{"after, with a code that was not taken", filter{After: stored[0].Seq, Code: true, Untaken: true}, "f"},
		{"code and sender", filter{Code: true, From: "c@"}, "c"},
		{"code and time", filter{Code: true, Since: after(3 * time.Hour)}, "fd"},
		{"all of them", filter{Direction: mailbox.Inbound, After: stored[4].Seq, Code: true, Untaken: true, From: "f@x", Since: after(5 * time.Hour)}, "f"},
	} {
		if got := strings.Join(k.subjects(box.Num, c.f), ""); got != c.want {
			k.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
