package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// reply is a letter that answers others.
func reply(subject string, to ...string) string {
	refs := make([]string, len(to))
	for i, s := range to {
		refs[i] = "<" + s + "@sender.test>"
	}
	return letter(subject, "In-Reply-To: "+refs[len(refs)-1], "References: "+strings.Join(refs, " "))
}

// heads lists threads as "subject of the newest×number of messages".
func heads(k *kit, b box) (out []string) {
	k.Helper()
	list, err := k.svc.Threads(k.Context(), b.read(), service.Page{Limit: 100})
	k.works("Threads", err)
	for _, t := range list.Items {
		out = append(out, fmt.Sprintf("%s×%d", t.Latest.Subject, t.Count))
	}
	return out
}

func talk(k *kit, b box, id mailbox.ID) (out []string) {
	k.Helper()
	c, err := k.svc.Thread(k.Context(), b.read(), id, service.Page{Limit: 100})
	k.works("Thread", err)
	for _, m := range c.Messages {
		out = append(out, m.Subject)
		if m.Thread != c.ID || m.Detail.Text != "The text of "+m.Subject+".\n" || m.Address != b.Address {
			k.Errorf("%s: thread %v, text %q, mailbox %s", m.Subject, m.Thread, m.Detail.Text, m.Address)
		}
	}
	return out
}

func TestThreads(t *testing.T) {
	for _, c := range []struct {
		name string
		mail []string
		want []string
		all  []string // the thread of the first
	}{
		{"alone", []string{letter("a"), letter("b")}, []string{"b×1", "a×1"}, []string{"a"}},
		{"answer", []string{letter("a"), letter("x"), reply("b", "a")}, []string{"b×2", "x×1"}, []string{"a", "b"}},
		{"answer of an answer", []string{letter("a"), reply("b", "a"), reply("c", "a", "b")}, []string{"c×3"},
			[]string{"a", "b", "c"}},
		{"a link is missing", []string{letter("a"), reply("c", "a", "b")}, []string{"c×2"}, []string{"a", "c"}},
		{"the root comes late", []string{reply("b", "a"), letter("x"), letter("a")}, []string{"a×2", "x×1"},
			[]string{"b", "a"}},
		{"the root never comes", []string{reply("b", "a"), reply("c", "a")}, []string{"c×2"}, []string{"b", "c"}},
		{"the middle comes late", []string{letter("a"), reply("c", "b"), reply("b", "a")}, []string{"b×3"},
			[]string{"a", "c", "b"}},
		{"backwards", []string{reply("d", "c"), reply("c", "b"), reply("b", "a"), letter("a")}, []string{"a×4"},
			[]string{"d", "c", "b", "a"}},
		{"two meet", []string{letter("a"), letter("b"), reply("c", "a", "b"), letter("x")}, []string{"x×1", "c×3"},
			[]string{"a", "b", "c"}},
		{"never by subject", []string{letter("a"), strings.Replace(letter("b"), "Subject: b", "Subject: Re: a", 1)},
			[]string{"Re: a×1", "a×1"}, []string{"a"}},
		{"itself", []string{reply("a", "a"), letter("b")}, []string{"b×1", "a×1"}, []string{"a"}},
		{"In-Reply-To alone", []string{letter("a"), letter("b", "In-Reply-To: <a@sender.test>")}, []string{"b×2"},
			[]string{"a", "b"}},
		{"References alone", []string{letter("a"), letter("b", "References: <z@sender.test>\r\n <a@sender.test>")},
			[]string{"b×2"}, []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newService(t)
			own, other := k.permanent("own"), k.permanent("other")
			k.receive(letter("a"), "other@example.test") // each mailbox has its own threads
			var ids []mailbox.ID
			for _, raw := range c.mail {
				k.clock.advance(time.Second)
				ids = append(ids, k.receive(raw, "own@example.test")[0].ID)
			}
			k.same("threads", heads(k, own), c.want)
			thread := k.message(own.read(), ids[0]).Thread
			k.same("conversation", talk(k, own, thread), c.all)
			var listed []string
			for _, m := range k.inbox(own.read(), service.InboxQuery{Thread: thread.String()}).Items {
				listed = append([]string{m.Subject}, listed...)
			}
			k.same("inbox of the thread", listed, c.all)
			k.same("other", heads(k, other), []string{"a×1"})
		})
	}
}

// The id of a thread that went into another keeps answering, in both ways of asking.
func TestThreadMerged(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	a := k.receive(letter("a"), "own@example.test")[0].ID
	k.clock.advance(time.Second)
	b := k.receive(letter("b"), "own@example.test")[0].ID
	k.clock.advance(time.Second)
	k.receive(reply("c", "b", "a"), "own@example.test")
	for _, id := range []mailbox.ID{a, b} {
		k.same("conversation", talk(k, own, id), []string{"a", "b", "c"})
		k.same("inbox", len(k.inbox(own.read(), service.InboxQuery{Thread: id.String()}).Items), 3)
	}
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), a))
	k.same("without the message whose id it has", talk(k, own, b), []string{"b", "c"})
	k.receive(reply("d", "c"), "own@example.test")
	k.same("goes on", talk(k, own, a), []string{"b", "c", "d"})
}

// After a message was deleted, an answer to it finds those that also answered it, and nothing else.
func TestThreadAfterDeletion(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	a := k.receive(letter("a"), "own@example.test")[0].ID
	k.works("delete", k.svc.DeleteMessage(t.Context(), own.change(), a))
	k.receive(reply("b", "a"), "own@example.test")
	k.same("threads", heads(k, own), []string{"b×1"})
	again := k.receive(letter("a"), "own@example.test")[0]
	if again.Duplicate {
		t.Error("deleted and yet a duplicate")
	}
	k.same("threads", heads(k, own), []string{"a×2"})
}

func TestThreadPages(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	first := k.receive(letter("m0"), "own@example.test")[0].ID
	for i := range 11 {
		k.receive(reply(fmt.Sprintf("m%d", i+1), "m0"), "own@example.test")
	}
	var got []string
	page := service.Page{Limit: 5}
	for {
		c, err := k.svc.Thread(t.Context(), own.read(), first, page)
		k.works("Thread", err)
		for _, m := range c.Messages {
			got = append(got, m.Subject)
		}
		if page.Cursor = c.Next; c.Next == "" {
			break
		}
	}
	k.same("pages", got, []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11"})
	c, err := k.svc.Thread(t.Context(), own.read(), first, service.Page{Limit: 2, Offset: 11})
	k.works("Thread", err)
	k.same("offset", len(c.Messages), 1)
	c, err = k.svc.Thread(t.Context(), own.read(), first, service.Page{Limit: 2, Offset: 50})
	k.works("Thread", err)
	k.same("offset past the end", len(c.Messages), 0)

	for i := range 6 {
		k.receive(letter(fmt.Sprintf("t%d", i)), "own@example.test")
	}
	got = nil
	for page := (service.Page{Limit: 3}); ; {
		list, err := k.svc.Threads(t.Context(), own.read(), page)
		k.works("Threads", err)
		for _, th := range list.Items {
			got = append(got, th.Latest.Subject)
		}
		if page.Cursor = list.Next; list.Next == "" {
			break
		}
		k.receive(letter("meanwhile"+fmt.Sprint(len(got))), "own@example.test")
	}
	k.same("threads", got, []string{"t5", "t4", "t3", "t2", "t1", "t0", "m11"})
}
