package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var threadTests = []test{
	{"a message alone is one", func(k kit) {
		box := k.box("a@x.org")
		m := fullMessage(box.Num)
		m = k.mail(m)
		k.same("threads", k.threads(box.Num, store.ThreadFilter{Limit: 10}),
			[]mailbox.Thread{{ID: m.ID, Latest: m, Count: 1,
				Attachments: true, Participants: []mailbox.Address{m.From}, Labels: m.Labels}})
		k.same("conversation", k.talk(box.Num, m.ID), []string{"Hello"})
		k.same("thread", k.threadID(0, m.ID), m.ID)
	}},
	{"joined ones are one", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 4)
		k.join(&list[1], list[0].ID)
		k.join(&list[3], list[0].ID)
		k.same("threads", k.heads(box.Num), []string{"m4×3", "m3×1"})
		k.same("conversation", k.talk(box.Num, list[0].ID), []string{"m1", "m2", "m4"})
		for _, i := range []int{0, 1, 3} {
			k.same("thread", k.message(box.Num, list[i].ID).Thread, list[0].ID)
		}
		if list[3].Thread != list[0].ID {
			k.Error("Join does not tell the message's thread")
		}
	}},
	{"the list row speaks of all", threadRow},
	{"of one mailbox answers in no other", func(k kit) {
		box, other := k.box("a@x.org"), k.box("o@x.org")
		list := k.mails(box.Num, 3)
		k.mails(other.Num, 1)
		k.join(&list[1], list[0].ID)
		for _, id := range []mailbox.ID{list[0].ID, list[2].ID} {
			_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
				id, _, err := r.ThreadID(ctx, other.Num, id)
				return id, err
			})
			k.is("other", err, store.ErrNotFound)
			k.view(func(ctx context.Context, r store.Reader) error {
				_, num, err := r.ThreadID(ctx, 0, id)
				k.same("which", num, box.Num)
				return err
			})
			k.same("conversation", k.talk(other.Num, id), []string{})
		}
		k.same("related", k.related(other.Num, list[1].MessageID), []mailbox.ID{}) // m1 is everyone's Message-ID here
	}},
	{"finds those it answers and that answer it", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 3)
		k.update(func(ctx context.Context, tx store.Tx) error {
			return tx.Answers(ctx, list[2], []string{"lost@x", "lost@x", "root@x"})
		})
		k.same("own Message-ID", k.related(box.Num, "m1@example.org"), []mailbox.ID{list[0].ID})
		k.same("answered, not here", k.related(box.Num, "root@x"), []mailbox.ID{list[2].ID})
		k.same("unknown", k.related(box.Num, "other@x", ""), []mailbox.ID{})
		k.same("none", k.related(box.Num), []mailbox.ID{})
		both := k.related(box.Num, "root@x", "lost@x", "m1@example.org", "m2@example.org", "m1@example.org")
		k.same("how many", len(both), 3)
	}},
	{"oldest related first", func(k kit) {
		box := k.box("a@x.org")
		var ids []mailbox.ID
		var messageIDs []string
		for i := range 8 {
			m := sample(box.Num, fmt.Sprintf("m%d", i))
			m.ID = mailbox.NewID(noon.AddDate(0, 0, i))
			k.mail(m)
			ids = append(ids, m.ID)
			messageIDs = append([]string{m.MessageID}, messageIDs...)
		}
		k.same("related", k.related(box.Num, messageIDs...), ids)
	}},
	{"merged ones are one, and the old id keeps answering", mergers},
	{"survives the deletion of any message", threadDeletion},
	{"a deleted message is related to nothing", func(k kit) {
		box := k.box("a@x.org")
		m := k.mail(sample(box.Num, "one"))
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.Answers(ctx, m, []string{"p1@x", "p2@x"}) })
		k.deleteMail(m, "p1@x", "p2@x")
		k.same("related", k.related(box.Num, m.MessageID, "p1@x", "p2@x"), []mailbox.ID{})
	}},
	{"pages", func(k kit) {
		box := k.box("a@x.org")
		list := k.mails(box.Num, 10)
		k.join(&list[8], list[0].ID) // m9 speaks for m1
		k.same("all", k.heads(box.Num), []string{"m10×1", "m9×2", "m8×1", "m7×1", "m6×1", "m5×1", "m4×1", "m3×1",
			"m2×1"})
		for _, c := range []struct {
			name string
			f    store.ThreadFilter
			want []string
		}{
			{"limit", store.ThreadFilter{Limit: 3}, []string{"m10×1", "m9×2", "m8×1"}},
			{"offset", store.ThreadFilter{Limit: 2, Offset: 2}, []string{"m8×1", "m7×1"}},
			{"before", store.ThreadFilter{Limit: 2, Before: list[8].Seq}, []string{"m8×1", "m7×1"}},
			{"before the oldest", store.ThreadFilter{Limit: 2, Before: list[1].Seq}, []string{}},
		} {
			k.same(c.name, heads(k.threads(box.Num, c.f)), c.want)
		}
		k.join(&list[4], list[0].ID)
		k.same("middle", k.page(box.Num, list[0].ID, 0, 2), []string{"m1", "m5"})
		k.same("next", k.page(box.Num, list[0].ID, list[4].Seq, 2), []string{"m9"})
		k.same("end", k.page(box.Num, list[0].ID, list[8].Seq, 2), []string{})
		k.same("one alone, after it", k.page(box.Num, list[5].ID, list[5].Seq, 2), []string{})
	}},
	{"as a model has them, after any sequence", threadModels},
}

func (k kit) threads(num mailbox.Num, f store.ThreadFilter) []mailbox.Thread {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Thread, error) {
		return r.Threads(ctx, num,
			f)
	})
}

// heads are the threads of a mailbox as "subject of the newest×number of messages".
func (k kit) heads(num mailbox.Num) []string {
	k.Helper()
	return heads(k.threads(num, store.ThreadFilter{Limit: 1000}))
}

func heads(list []mailbox.Thread) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = fmt.Sprintf("%s×%d", t.Latest.Subject, t.Count)
	}
	return out
}

func (k kit) page(num mailbox.Num, thread mailbox.ID, after int64, limit int) []string {
	k.Helper()
	return subjects(must(k, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
		return r.Conversation(ctx, num, thread, after, limit)
	}))
}

func (k kit) talk(num mailbox.Num, thread mailbox.ID) []string {
	k.Helper()
	return k.page(num, thread, 0, 1000)
}

func (k kit) threadID(num mailbox.Num, id mailbox.ID) mailbox.ID {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
		id, _, err := r.ThreadID(ctx, num, id)
		return id, err
	})
}

func (k kit) related(num mailbox.Num, messageIDs ...string) []mailbox.ID {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) ([]mailbox.ID, error) {
		return r.Related(ctx, num, messageIDs)
	})
}

func (k kit) join(m *mailbox.Message, thread mailbox.ID) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Join(ctx, m, thread) })
}

func (k kit) merge(num mailbox.Num, from, into mailbox.ID) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Merge(ctx, num, from, into) })
}

func threadRow(k kit) {
	box := k.box("a@x.org")
	list := make([]mailbox.Message, 3)
	for i, who := range []string{"ada@x", "bo@x", "ada@x"} {
		m := sample(box.Num, fmt.Sprintf("m%d", i+1))
		m.From = mailbox.Address{Name: who, Address: who}
		m.Labels = [][]string{{"code", "red"}, {"blue"}, nil}[i]
		m.Attachments = []int{0, 2, 0}[i]
		list[i] = k.mail(m)
		if i > 0 {
			k.join(&list[i], list[0].ID)
		}
	}
	list[2].Thread = list[0].ID
	k.same("row", k.threads(box.Num, store.ThreadFilter{Limit: 10}),
		[]mailbox.Thread{{ID: list[0].ID, Latest: list[2], Count: 3,
			Attachments: true, Participants: []mailbox.Address{{Name: "ada@x", Address: "ada@x"},
				{Name: "bo@x", Address: "bo@x"}},
			Labels: []string{"blue", "code", "red"}}})
}

func mergers(k kit) {
	box := k.box("a@x.org")
	list := k.mails(box.Num, 7)
	k.join(&list[1], list[0].ID)             // 1 2
	k.join(&list[4], list[3].ID)             // 4 5
	k.merge(box.Num, list[3].ID, list[0].ID) // 1 2 4 5
	k.same("threads", k.heads(box.Num), []string{"m7×1", "m6×1", "m5×4", "m3×1"})
	k.same("conversation", k.talk(box.Num, list[0].ID), []string{"m1", "m2", "m4", "m5"})
	k.same("old id", k.threadID(box.Num, list[3].ID), list[0].ID)
	k.same("old id anywhere", k.threadID(0, list[3].ID), list[0].ID)
	k.same("messages", k.subjects(box.Num, store.MessageFilter{Thread: list[0].ID}), []string{"m5", "m4", "m2", "m1"})

	k.merge(box.Num, list[0].ID, list[2].ID) // all but 6 and 7 under the id of 3
	k.same("threads", k.heads(box.Num), []string{"m7×1", "m6×1", "m5×5"})
	for _, i := range []int{0, 2, 3} {
		k.same("id", k.threadID(box.Num, list[i].ID), list[2].ID)
	}
	k.merge(box.Num, list[2].ID, list[6].ID) // the one that stays is the newer
	k.same("threads", k.heads(box.Num), []string{"m7×6", "m6×1"})
	for _, i := range []int{0, 2, 3, 6} {
		k.same("id", k.threadID(box.Num, list[i].ID), list[6].ID)
	}
	k.same("conversation", k.talk(box.Num, list[6].ID), []string{"m1", "m2", "m3", "m4", "m5", "m7"})
	other := k.box("o@x.org")
	_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
		id, _, err := r.ThreadID(ctx, other.Num, list[0].ID)
		return id, err
	})
	k.is("old id in another mailbox", err, store.ErrNotFound)
}

func threadDeletion(k kit) {
	for i, c := range []struct {
		name   string
		delete []int // in this order, of m1 to m3
		heads  []string
		talk   []string
	}{
		{"newest", []int{3}, []string{"m2×2"}, []string{"m1", "m2"}},
		{"oldest, whose id the thread has", []int{1}, []string{"m3×2"}, []string{"m2", "m3"}},
		{"middle", []int{2}, []string{"m3×2"}, []string{"m1", "m3"}},
		{"all but the oldest", []int{3, 2}, []string{"m1×1"}, []string{"m1"}},
		{"all but the newest", []int{1, 2}, []string{"m3×1"}, []string{"m3"}},
		{"all but the middle", []int{1, 3}, []string{"m2×1"}, []string{"m2"}},
		{"all", []int{2, 3, 1}, []string{}, []string{}},
	} {
		box := k.box(fmt.Sprintf("a%d@x.org", i))
		list := k.mails(box.Num, 3)
		k.join(&list[1], list[0].ID)
		k.join(&list[2], list[0].ID)
		for _, n := range c.delete {
			k.deleteMail(list[n-1])
		}
		k.same(c.name+": threads", k.heads(box.Num), c.heads)
		k.same(c.name+": conversation", k.talk(box.Num, list[0].ID), c.talk)
		_, err := ask(k, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
			id, _, err := r.ThreadID(ctx, box.Num, list[0].ID)
			return id, err
		})
		if len(c.talk) == 0 {
			k.is(c.name, err, store.ErrNotFound)
		} else if err != nil {
			k.Errorf("%s: %v", c.name, err)
		}
	}
}

// threadModels stores and deletes mail that answers other mail, in any order, and compares the threads with a model.
func threadModels(k kit) {
	for seed := range uint64(3) {
		m := &threadModel{kit: k, rand: rand.New(rand.NewPCG(seed, 2)), current: map[mailbox.ID]mailbox.ID{}}
		m.num = k.box(fmt.Sprintf("s%d@x.org", seed)).Num
		for step := range 60 {
			if len(m.mail) > 0 && m.rand.IntN(4) == 0 {
				m.delete()
			} else {
				m.add(step)
			}
			m.check(fmt.Sprintf("seed %d, step %d", seed, step))
			if k.Failed() {
				return
			}
		}
	}
}

// threadModel is a mailbox's mail, oldest first, with its threads.
type threadModel struct {
	kit
	rand    *rand.Rand
	num     mailbox.Num
	mail    []threadMail
	current map[mailbox.ID]mailbox.ID // every id that a thread ever had: what it is now
}

type threadMail struct {
	mailbox.Message
	answers []string
	thread  mailbox.ID
}

func (m *threadModel) add(step int) {
	msg := sample(m.num, fmt.Sprintf("m%d", step))
	msg.ID = mailbox.NewID(noon.AddDate(0, 0, step))
	msg.MessageID = fmt.Sprintf("id%d@x", m.rand.IntN(30)) // sometimes used before, often asked for before
	var answers []string
	for range m.rand.IntN(3) {
		answers = append(answers, fmt.Sprintf("id%d@x", m.rand.IntN(30)))
	}
	want := m.relatedTo(append([]string{msg.MessageID}, answers...))
	m.update(func(ctx context.Context, tx store.Tx) error {
		got, err := tx.Related(ctx, m.num, append([]string{msg.MessageID}, answers...))
		if err != nil {
			return err
		}
		m.same("related", got, want)
		if err := tx.InsertMessage(ctx, &msg, store.Content{}); err != nil {
			return err
		}
		if err := tx.Answers(ctx, msg, answers); err != nil {
			return err
		}
		if len(want) == 0 {
			return nil
		}
		for _, other := range want[1:] {
			if err := tx.Merge(ctx, m.num, other, want[0]); err != nil {
				return err
			}
		}
		return tx.Join(ctx, &msg, want[0])
	})
	thread := msg.ID
	if len(want) > 0 {
		thread = want[0]
		for i := range m.mail {
			if slices.Contains(want, m.mail[i].thread) {
				m.mail[i].thread = thread
			}
		}
		for id, now := range m.current {
			if slices.Contains(want, now) {
				m.current[id] = thread
			}
		}
	} else {
		m.current[msg.ID] = msg.ID
	}
	m.mail = append(m.mail, threadMail{msg, answers, thread})
}

// relatedTo returns the threads with a message that has or answers one of these ids, oldest first.
func (m *threadModel) relatedTo(messageIDs []string) []mailbox.ID {
	var out []mailbox.ID
	for _, mail := range m.mail {
		for _, id := range messageIDs {
			if (mail.MessageID == id || slices.Contains(mail.answers, id)) && !slices.Contains(out, mail.thread) {
				out = append(out, mail.thread)
			}
		}
	}
	slices.SortFunc(out, func(a, b mailbox.ID) int { return slices.Compare(a[:], b[:]) })
	return out
}

func (m *threadModel) delete() {
	i := m.rand.IntN(len(m.mail))
	m.deleteMail(m.mail[i].Message, m.mail[i].answers...)
	m.mail = slices.Delete(m.mail, i, i+1)
}

func (m *threadModel) check(when string) {
	var want []string
	talks := map[mailbox.ID][]string{}
	for _, mail := range slices.Backward(m.mail) {
		if talks[mail.thread] == nil {
			want = append(want, mail.Subject)
		}
		talks[mail.thread] = append([]string{mail.Subject}, talks[mail.thread]...)
	}
	var got []string
	for _, t := range m.threads(m.num, store.ThreadFilter{Limit: 1000}) {
		got = append(got, t.Latest.Subject)
		m.same(when+": members", m.talk(m.num, t.ID), talks[t.ID])
		m.same(when+": count", t.Count, len(talks[t.ID]))
	}
	m.same(when+": threads", got, want)
	for id, now := range m.current {
		answer, err := ask(m.kit, func(ctx context.Context, r store.Reader) (mailbox.ID, error) {
			id, _, err := r.ThreadID(ctx, m.num, id)
			return id, err
		})
		if talks[now] == nil {
			m.is(when+": an empty thread", err, store.ErrNotFound)
		} else if err != nil || answer != now {
			m.Errorf("%s: thread %v is %v (%v), want %v", when, id, answer, err, now)
		}
	}
}
