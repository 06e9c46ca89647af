package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var counterTests = []test{
	{"months", func(k kit) {
		box := k.box("a@x.org")
		at := func(month time.Month, day int) mailbox.Message {
			m := sample(box.Num, "one")
			m.ReceivedAt = time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)
			return k.mail(m)
		}
		check := func(name string, month time.Month, want int64) {
			k.Helper()
			c := k.counters(box.Num)
			if c.Month != int32(2026*12+int(month)-1) || c.ThisMonth != want {
				k.Errorf("%s: %d in month %d, want %d in %v", name, c.ThisMonth, c.Month%12+1, want, month)
			}
		}
		jan := at(time.January, 31)
		check("first", time.January, 1)
		at(time.January, 31)
		check("second", time.January, 2)
		feb := at(time.February, 1)
		check("next month", time.February, 1)
		late := at(time.January, 31) // came earlier, was stored later
		check("a late one of last month", time.February, 1)
		at(time.February, 1)
		check("this month again", time.February, 2)
		k.deleteMail(jan)
		k.deleteMail(late)
		check("deleted of last month", time.February, 2)
		k.deleteMail(feb)
		check("deleted of this month", time.February, 1)
		at(time.June, 1)
		check("months later", time.June, 1)
	}},
	{"exact after any sequence", func(k kit) {
		if testing.Short() {
			k.Skip("long")
		}
		for seed := range uint64(2) {
			m := &model{kit: k, rand: rand.New(rand.NewPCG(seed, 1)), boxes: map[mailbox.Num]*modelBox{}, now: noon}
			for i := range 3 {
				m.addBox(fmt.Sprintf("s%d-%d@x.org", seed, i))
			}
			for step := range 100 {
				m.step()
				m.check(fmt.Sprintf("seed %d, step %d", seed, step))
				if k.Failed() {
					return
				}
			}
		}
	}},
}

func (k kit) counters(num mailbox.Num) mailbox.Counters {
	k.Helper()
	return must(k, func(ctx context.Context, r store.Reader) (mailbox.Counters, error) { return r.Counters(ctx, num) })
}

// model is what the store should hold, kept in the simplest way.
type model struct {
	kit
	rand  *rand.Rand
	boxes map[mailbox.Num]*modelBox
	now   time.Time
}

type modelBox struct {
	mailbox.Mailbox
	messages []mailbox.Message // oldest first
	month    int32
}

func (m *model) addBox(address string) {
	box := m.box(address)
	m.boxes[box.Num] = &modelBox{Mailbox: box}
}

// step does something to a mailbox, several times in one transaction, and in one of five makes the transaction fail.
func (m *model) step() {
	m.now = m.now.Add(time.Duration(m.rand.IntN(5*24)) * time.Hour)
	nums := make([]mailbox.Num, 0, len(m.boxes))
	for num := range m.boxes {
		nums = append(nums, num)
	}
	num := min(nums[0], nums[1], nums[2]) + mailbox.Num(m.rand.IntN(3))
	box, ok := m.boxes[num]
	if !ok {
		return
	}
	if m.rand.IntN(30) == 0 {
		m.replace(box)
		return
	}
	var next *modelBox
	fails := m.rand.IntN(5) == 0
	seed := m.rand.Uint64()
	err := m.db.Update(m.Context(), func(tx store.Tx) error {
		// It may be run again, so it begins from scratch and does the same each time.
		next = &modelBox{Mailbox: box.Mailbox, messages: append([]mailbox.Message(nil), box.messages...), month: box.month}
		m.rand = rand.New(rand.NewPCG(seed, 0))
		for range 1 + m.rand.IntN(6) {
			if err := m.act(m.Context(), tx, next); err != nil {
				return err
			}
		}
		if fails {
			return errOwn
		}
		return nil
	})
	if fails {
		m.is("a failing update", err, errOwn)
		return
	}
	if err != nil {
		m.Fatal(err)
	}
	m.boxes[num] = next
}

// replace removes a mailbox and makes it anew.
func (m *model) replace(box *modelBox) {
	m.remove(box.Num)
	delete(m.boxes, box.Num)
	m.addBox(box.Address)
	m.purge(box.Num, 3)
}

// act inserts, changes or deletes one message.
func (m *model) act(ctx context.Context, tx store.Tx, box *modelBox) error {
	if n := len(box.messages); n > 0 && m.rand.IntN(2) == 0 {
		i := m.rand.IntN(n)
		if m.rand.IntN(2) == 0 {
			gone := box.messages[i]
			box.messages = append(box.messages[:i:i], box.messages[i+1:]...)
			return tx.DeleteMessage(ctx, gone, nil)
		}
		changed := &box.messages[i]
		changed.Seen, changed.Taken = m.rand.IntN(2) == 0, m.rand.IntN(2) == 0
		changed.Labels = mailbox.Relabel(changed.Labels, []string{fmt.Sprintf("l%d", m.rand.IntN(5))}, []string{fmt.Sprintf("l%d", m.rand.IntN(5))})
		return tx.UpdateMessage(ctx, *changed)
	}
	made := sample(box.Num, fmt.Sprint(m.rand.Uint64()))
	made.Size, made.Seen, made.ReceivedAt = m.rand.Int64N(1<<30), m.rand.IntN(3) == 0, m.now
	if m.rand.IntN(3) == 0 {
		made.Direction = mailbox.Outbound
	}
	if m.rand.IntN(8) == 0 {
		made.ReceivedAt = m.now.Add(-24 * time.Hour) // stored late, perhaps in the next month
	}
	if err := tx.InsertMessage(ctx, &made, store.Content{Packed: []byte(made.Subject)}); err != nil {
		return err
	}
	box.month = max(box.month, mailbox.MonthOf(made.ReceivedAt))
	box.messages = append(box.messages, made)
	return nil
}

// check compares every mailbox with the model.
func (m *model) check(when string) {
	for num, box := range m.boxes {
		want := mailbox.Counters{Month: box.month}
		list := make([]mailbox.Message, 0, len(box.messages))
		for _, msg := range box.messages {
			if msg.Direction == mailbox.Outbound {
				want.Outbound++
			} else {
				want.Inbound++
			}
			if !msg.Seen {
				want.Unseen++
			}
			if mailbox.MonthOf(msg.ReceivedAt) == box.month {
				want.ThisMonth++
			}
			want.Bytes += msg.Size
			list = append([]mailbox.Message{msg}, list...)
		}
		m.same(when+": counters", m.counters(num), want)
		got := must(m.kit, func(ctx context.Context, r store.Reader) ([]mailbox.Message, error) {
			return r.Messages(ctx, num, store.MessageFilter{Limit: 1000})
		})
		m.same(when+": messages", got, list)
	}
}
