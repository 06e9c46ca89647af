package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

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

// relatedTo gives the threads with a message that has or answers one of these ids, oldest first.
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
