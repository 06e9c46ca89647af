package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var listTests = []test{
	{"filters", listFilters},
	{"filters by sender", senderFilters},
	{"filters by code and place", codeFilters},
	{"rows are whole", func(k kit) {
		box := k.box("a@x.org")
		want := []mailbox.Message{k.mail(sample(box.Num, "older")), k.mail(fullMessage(box.Num))}
		got := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
			return r.Messages(ctx, box.Num, store.MessageFilter{Limit: 10})
		})
		k.same("rows", got, []mailbox.Message{want[1], want[0]})
	}},
	{"is in order of arrival, not of time", func(k kit) {
		box := k.box("a@x.org")
		for i, hours := range []int{5, 1, 3} {
			m := sample(box.Num, fmt.Sprint(i))
			m.ReceivedAt = after(time.Duration(hours) * time.Hour)
			k.mail(m)
		}
		k.same("list", k.subjects(box.Num, store.MessageFilter{}), []string{"2", "1", "0"})
	}},
	{"pages meet without gap or double", func(k kit) {
		box := k.box("a@x.org")
		k.mails(box.Num, 23)
		var got []string
		f := store.MessageFilter{Limit: 5}
		for {
			rows := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
				return r.Messages(ctx, box.Num, f)
			})
			if len(rows) == 0 {
				break
			}
			got = append(got, subjects(rows)...)
			f.Before = rows[len(rows)-1].Seq
			k.mail(sample(box.Num, "meanwhile")) // new mail does not shift what comes
		}
		want := make([]string, 23)
		for i := range want {
			want[i] = fmt.Sprintf("m%d", 23-i)
		}
		k.same("pages", got, want)
	}},
	{"oldest first, between two places", func(k kit) {
		box := k.box("a@x.org")
		k.mails(box.Num, 7)
		all := k.subjects(box.Num, store.MessageFilter{Oldest: true, Limit: 10})
		k.same("all", all, []string{"m1", "m2", "m3", "m4", "m5", "m6", "m7"})
		rows := must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
			return r.Messages(ctx, box.Num, store.MessageFilter{Oldest: true, Limit: 7})
		})
		f := store.MessageFilter{After: rows[1].Seq, Before: rows[6].Seq, Oldest: true, Limit: 3}
		k.same("some", k.subjects(box.Num, f), []string{"m3", "m4", "m5"})
		f.After = rows[4].Seq
		k.same("the next", k.subjects(box.Num, f), []string{"m6"})
	}},
	{"a place from outside opens no other mailbox", foreignPlaces},
}

// listFilters checks every filter alone and with others on one set of messages.
func listFilters(k kit) {
	box, other := k.box("a@x.org"), k.box("o@x.org")
	k.mails(other.Num, 3)
	yes, no := true, false
	var stored []mailbox.Message
	for _, m := range []struct {
		subject string
		out     bool
		seen    bool
		at      time.Duration
		labels  []string
	}{
		{"a", false, false, 1 * time.Hour, []string{"code"}},
		{"b", true, true, 2 * time.Hour, []string{"code-red"}},
		{"c", false, true, 3 * time.Hour, []string{"co", "code", "red"}},
		{"d", false, false, 4 * time.Hour, nil},
		{"e", true, false, 5 * time.Hour, []string{"my_code", "red"}},
		{"f", false, true, 6 * time.Hour, []string{"red"}},
	} {
		row := sample(box.Num, m.subject)
		row.Seen, row.ReceivedAt, row.Labels = m.seen, after(m.at), m.labels
		if m.out {
			row.Direction = mailbox.Outbound
		}
		stored = append(stored, k.mail(row))
	}
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Join(ctx, &stored[3], stored[0].ID) })

	type filter = store.MessageFilter
	for _, c := range []struct {
		name string
		f    filter
		want string
	}{
		{"all", filter{}, "fedcba"},
		{"limit", filter{Limit: 2}, "fe"},
		{"offset", filter{Offset: 4}, "ba"},
		{"limit and offset", filter{Limit: 2, Offset: 1}, "ed"},
		{"offset past the end", filter{Offset: 6}, ""},
		{"inbound", filter{Direction: mailbox.Inbound}, "fdca"},
		{"outbound", filter{Direction: mailbox.Outbound}, "eb"},
		{"label", filter{Label: "code"}, "ca"},
		{"label that begins others", filter{Label: "co"}, "c"},
		{"label with a dash", filter{Label: "code-red"}, "b"},
		{"label with an underscore", filter{Label: "my_code"}, "e"},
		{"an underscore is no wildcard", filter{Label: "cod_"}, ""},
		{"a percent is no wildcard", filter{Label: "%"}, ""},
		{"label of many", filter{Label: "red"}, "fec"},
		{"part of a label", filter{Label: "od"}, ""},
		{"seen", filter{Seen: &yes}, "fcb"},
		{"unseen", filter{Seen: &no}, "eda"},
		{"since, its own instant included", filter{Since: after(4 * time.Hour)}, "fed"},
		{"since, a millisecond later", filter{Since: after(4*time.Hour + time.Millisecond)}, "fe"},
		{"until, its own instant excluded", filter{Until: after(4 * time.Hour)}, "cba"},
		{"until, a millisecond later", filter{Until: after(4*time.Hour + time.Millisecond)}, "dcba"},
		{"since and until", filter{Since: after(2 * time.Hour), Until: after(5 * time.Hour)}, "dcb"},
		{"since after until", filter{Since: after(5 * time.Hour), Until: after(2 * time.Hour)}, ""},
		{"thread", filter{Thread: stored[0].ID}, "da"},
		{"thread, oldest first", filter{Thread: stored[0].ID, Oldest: true}, "ad"},
		{"thread and offset", filter{Thread: stored[0].ID, Limit: 1, Offset: 1}, "a"},
		{"thread of one", filter{Thread: stored[1].ID}, "b"},
		{"thread of one and offset", filter{Thread: stored[1].ID, Offset: 1}, ""},
		{"thread of one and place", filter{Thread: stored[1].ID, After: stored[1].Seq}, ""},
		{"member's id is no thread", filter{Thread: stored[3].ID}, ""},
		{"before", filter{Before: stored[3].Seq}, "cba"},
		{"before the first", filter{Before: stored[0].Seq}, ""},
		{"before and offset", filter{Before: stored[4].Seq, Offset: 1, Limit: 2}, "cb"},
		{"direction and label", filter{Direction: mailbox.Inbound, Label: "red"}, "fc"},
		{"direction, label and seen", filter{Direction: mailbox.Outbound, Label: "red", Seen: &no}, "e"},
		{"label and time", filter{Label: "code", Since: after(2 * time.Hour)}, "c"},
		{"thread and seen", filter{Thread: stored[0].ID, Seen: &no, Before: stored[3].Seq}, "a"},
		{"all of them", filter{Direction: mailbox.Inbound, Label: "red", Seen: &yes, Since: after(0),
			Until:  after(7 * time.Hour),
			Thread: stored[5].ID, Before: stored[5].Seq + 1, Limit: 1}, "f"},
		{"all of them but one", filter{Direction: mailbox.Inbound, Label: "red", Seen: &no, Since: after(0),
			Until:  after(7 * time.Hour),
			Thread: stored[5].ID}, ""},
	} {
		got := ""
		for _, s := range k.subjects(box.Num, c.f) {
			got += s
		}
		if got != c.want {
			k.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// foreignPlaces lists with places that no list of ours gave out, as a forged cursor holds them.
func foreignPlaces(k kit) {
	var boxes []mailbox.Mailbox
	var threads []mailbox.ID
	for i := range 5 {
		box := k.box(fmt.Sprintf("a%d@x.org", i))
		list := k.mails(box.Num, 3)
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.Join(ctx, &list[1], list[0].ID)
		})
		boxes, threads = append(boxes, box), append(threads, list[0].ID)
	}
	var places []int64
	// whatever bits a store packs its keys into
	for _, shift := range []int{0, 1, 2, 7, 8, 15, 16, 20, 30, 31, 32, 33, 34, 40, 47, 48, 60, 61} {
		for num := int64(0); num < 8; num++ {
			places = append(places, 1<<shift, 1<<shift-1, num<<shift|3, num<<shift|(1<<32-1))
		}
	}
	places = append(places, 1<<62, 1<<63-1, noon.UnixMilli()+1<<32, noon.UnixMilli()+1<<33)
	slices.Sort(places)
	places = slices.Compact(places)
	for i, box := range boxes {
		k.view(func(ctx context.Context, r store.Reader) error {
			for _, place := range places {
				if err := fromPlace(ctx, k, r, box.Num, threads[i], place); err != nil {
					return err
				}
			}
			for j, thread := range threads {
				if talk, err := r.Conversation(ctx, box.Num, thread, 0, 100); err != nil ||
					(i == j) != (len(talk) == 2) {
					k.Fatalf("mailbox %d sees %d messages of a thread in %d (%v)", i, len(talk), j, err)
				}
			}
			return nil
		})
	}
}

// fromPlace lists everything of a mailbox from one place on. The mailbox has three messages.
func fromPlace(ctx context.Context, k kit, r store.Reader, num mailbox.Num, thread mailbox.ID, place int64) error {
	for _, f := range []store.MessageFilter{{Before: place, Limit: 100}, {After: place, Limit: 100}} {
		list, err := r.Messages(ctx, num, f)
		if err != nil {
			return err
		}
		for _, m := range list {
			if m.Mailbox != num || m.Seq <= f.After {
				k.Fatalf("Messages from %#x to %#x of mailbox %d: %d of mailbox %d", f.After, f.Before, num, m.Seq,
					m.Mailbox)
			}
		}
	}
	rows, err := r.Threads(ctx, num, store.ThreadFilter{Before: place, Limit: 100})
	if err != nil {
		return err
	}
	for _, t := range rows {
		if t.Latest.Mailbox != num {
			k.Fatalf("Threads before %#x of mailbox %d: one of mailbox %d", place, num, t.Latest.Mailbox)
		}
	}
	if place < 3 {
		return nil
	}
	events, err := r.Events(ctx, num, max(noon.UnixMilli()+place, place), 100)
	if err != nil {
		return err
	}
	if len(events) > 0 {
		k.Fatalf("Events after %#x of mailbox %d: %v", place, num, events)
	}
	talk, err := r.Conversation(ctx, num, thread, place, 100)
	if len(talk) > 0 {
		k.Fatalf("Conversation after %#x of mailbox %d: %v", place, num, subjects(talk))
	}
	return err
}

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

// sorted returns subjects of one letter in the order of the alphabet.
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
		// gaps between the places
		k.event(mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageDelivered, Message: row.ID, At: noon})
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
		{"all of them", filter{Direction: mailbox.Inbound, After: stored[4].Seq, Code: true, Untaken: true, From: "f@x",
			Since: after(5 * time.Hour)}, "f"},
	} {
		if got := strings.Join(k.subjects(box.Num, c.f), ""); got != c.want {
			k.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
