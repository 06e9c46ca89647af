package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/extract/reply"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// heardMost is how many of a mailbox's newest messages are looked at for the one that a message answers.
const heardMost = 100

// heardLately notes the mail that came within the last hour, which a message may answer.
func (s *Service) heardLately(ctx context.Context, r store.Reader, o *outgoing) error {
	o.heard = nil
	if s.live().LoopThread == 0 && s.live().LoopPeer == 0 {
		return nil
	}
	newest, err := r.Messages(ctx, o.box.Num, store.MessageFilter{Limit: heardMost})
	since := s.now().Add(-2 * loopSlot)
	for _, m := range newest {
		if m.Direction == mailbox.Inbound && m.ReceivedAt.After(since) {
			o.heard = append(o.heard, m)
		}
	}
	return err
}

// answers finds the newest message that a message answers: one that it names, or one of a recipient's on the same
// thread or with the same subject. Between mailboxes of ours numbers in a subject do not count, unless it is that of an
// answer: who sends "Job 18" after "Re: Job 17" reports the next job. nil: it answers none.
func (s *Service) answers(o *outgoing, related []mailbox.ID) *mailbox.Message {
	for i, m := range o.heard { // newest first
		from := untag(canonical(m.From.Address))
		peer := slices.ContainsFunc(o.recipients, func(rcpt addressee) bool { return untag(rcpt.canonical) == from })
		switch {
		case o.detail.InReplyTo != "" && m.MessageID == o.detail.InReplyTo,
			peer && slices.Contains(related, m.Thread),
			peer && sameSubject(m.Subject, o.message.Subject, s.serves(domainOf(from)) && isFresh(m.Subject)):
			return &o.heard[i]
		}
	}
	return nil
}

// exchange names what a message says to what it answers. It is the same for the same words, and where programs talk
// also where they differ in numbers alone. Automatic answers are all alike.
func (s *Service) exchange(o *outgoing, trigger mailbox.Message, peer string) string {
	near := s.nearMatch(o, trigger)
	question, answer := "automatic", "automatic"
	if !hasLabel(trigger, mailbox.LabelAutoreply, mailbox.LabelBounce) {
		question = wording(baseSubject(trigger.Subject)+" "+trigger.Snippet, near)
	}
	if !isAutomaticAnswer(o.detail) {
		own, _ := reply.Text(replyMail(&o.detail, bodyOf(&o.detail)))
		answer = wording(baseSubject(o.message.Subject)+" "+own, near)
	}
	sum := sha256.Sum256([]byte(peer + "\n" + question + "\n" + answer))
	return hex.EncodeToString(sum[:12])
}

// nearMatch tells whether numbers make no difference between an exchange and another. They do not where either side
// says that a program wrote it. Between mailboxes of ours, which seldom say so, both sides must count: the message
// answers this very one, and that has a number, too. Somebody who says "ok" to each "job 17 done" counts nothing.
func (s *Service) nearMatch(o *outgoing, trigger mailbox.Message) bool {
	if isAutomaticAnswer(o.detail) || hasLabel(trigger, mailbox.LabelAutoreply, mailbox.LabelBounce,
		mailbox.LabelNotification, mailbox.LabelNewsletter) {
		return true
	}
	said, fresh := trigger.Snippet, isFresh(trigger.Subject)
	if fresh {
		said += " " + trigger.Subject
	}
	return s.serves(domainOf(trigger.From.Address)) && (fresh || trigger.MessageID == o.detail.InReplyTo) &&
		strings.IndexFunc(said, unicode.IsNumber) >= 0
}

// hasLabel tells whether a message has one of the labels.
func hasLabel(m mailbox.Message, labels ...string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(m.Labels, l) })
}

// isAutomaticAnswer tells whether a message says that a program wrote it as an answer. What a program reports by itself
// (auto-generated) and names no message is none.
func isAutomaticAnswer(d mailbox.Detail) bool {
	return autoSubmitted(d) == "auto-replied" || isAutomatic(d) && d.InReplyTo != ""
}

// isAutomatic tells whether a message says that a program wrote it (RFC 3834 5).
func isAutomatic(d mailbox.Detail) bool {
	auto := autoSubmitted(d)
	precedence := strings.ToLower(strings.TrimSpace(d.Header("Precedence")))
	return auto != "" && auto != "no" || precedence == "bulk" || precedence == "junk"
}

// autoSubmitted is the keyword of Auto-Submitted, in lower case.
func autoSubmitted(d mailbox.Detail) string {
	auto, _, _ := strings.Cut(d.Header("Auto-Submitted"), ";")
	auto, _, _ = strings.Cut(auto, "(") // a comment
	return strings.ToLower(strings.TrimSpace(auto))
}

// isFresh tells whether a subject is that of a message that answers none.
func isFresh(subject string) bool {
	return baseSubject(subject) == strings.ToLower(strings.TrimSpace(subject))
}

// baseSubject is a subject without what answers and automatic answers put in front of it.
func baseSubject(subject string) string {
	if at := strings.LastIndex(subject, ": "); at >= 0 {
		subject = subject[at+2:]
	}
	return strings.ToLower(strings.TrimSpace(subject))
}

// sameSubject tells whether subjects say the same; where a near match counts, whatever the numbers in them.
func sameSubject(a, b string, near bool) bool {
	a, b = baseSubject(a), baseSubject(b)
	return a == b || near && strings.Join(withoutNumbers(words(a)), " ") == strings.Join(withoutNumbers(words(b)), " ")
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// wording is the words of a text, in lower case; where a near match counts, without those that have a digit in them.
func wording(text string, near bool) string {
	all := words(text)
	whole := strings.Join(all, " ")
	if !near {
		return whole
	}
	kept := withoutNumbers(all)
	if len(kept) == 0 {
		return whole
	}
	return strings.Join(kept, " ")
}

// withoutNumbers takes out the words that have a digit in them.
func withoutNumbers(all []string) (kept []string) {
	for _, w := range all {
		if strings.IndexFunc(w, unicode.IsNumber) < 0 {
			kept = append(kept, w)
		} else if !isASCII([]byte(w)) { // a script without spaces: only the number goes
			kept = append(kept, strings.Map(func(r rune) rune {
				if unicode.IsNumber(r) {
					return -1
				}
				return r
			}, w))
		}
	}
	return kept
}
