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
	if s.opt.LoopThread == 0 && s.opt.LoopPeer == 0 {
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
// thread or with the same subject, in which numbers do not count between mailboxes of ours. nil: it answers none.
func (s *Service) answers(o *outgoing, related []mailbox.ID) *mailbox.Message {
	for i, m := range o.heard { // newest first
		from := untag(canonical(m.From.Address))
		peer := slices.ContainsFunc(o.recipients, func(rcpt addressee) bool { return untag(rcpt.canonical) == from })
		switch {
		case o.detail.InReplyTo != "" && m.MessageID == o.detail.InReplyTo,
			peer && slices.Contains(related, m.Thread),
			peer && sameSubject(m.Subject, o.message.Subject, s.serves(domainOf(from))):
			return &o.heard[i]
		}
	}
	return nil
}

// exchange names what a message says to what it answers. It is the same for the same words, and where a program of ours
// or one that says what it is wrote the message, also where they differ in numbers alone. Automatic answers are all
// alike.
func (s *Service) exchange(o *outgoing, trigger mailbox.Message, peer string) string {
	_, domain := split(trigger.From.Address)
	marked := isAutomatic(o.detail)
	near := marked || s.serves(domain) || slices.Contains(trigger.Labels, mailbox.LabelNotification) ||
		slices.Contains(trigger.Labels, mailbox.LabelNewsletter)
	question, answer := "automatic", "automatic"
	if !slices.Contains(trigger.Labels, mailbox.LabelAutoreply) && !slices.Contains(trigger.Labels,
		mailbox.LabelBounce) {
		question = wording(baseSubject(trigger.Subject)+" "+trigger.Snippet, near)
	} else {
		near = true
	}
	if !marked {
		own, _ := reply.Text(replyMail(&o.detail, bodyOf(&o.detail)))
		answer = wording(baseSubject(o.message.Subject)+" "+own, near)
	}
	sum := sha256.Sum256([]byte(peer + "\n" + question + "\n" + answer))
	return hex.EncodeToString(sum[:12])
}

// isAutomatic tells whether a message says that a program wrote it (RFC 3834 5).
func isAutomatic(d mailbox.Detail) bool {
	auto, _, _ := strings.Cut(d.Header("Auto-Submitted"), ";")
	auto, _, _ = strings.Cut(auto, "(") // a comment
	auto = strings.ToLower(strings.TrimSpace(auto))
	precedence := strings.ToLower(strings.TrimSpace(d.Header("Precedence")))
	return auto != "" && auto != "no" || precedence == "bulk" || precedence == "junk"
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
