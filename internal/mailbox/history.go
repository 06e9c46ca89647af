package mailbox

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// HistoryKind is what happened to a message.
type HistoryKind string

const (
	HistoryReceived   HistoryKind = "received"   // it came in
	HistoryChecked    HistoryKind = "checked"    // its sender was
	HistoryReleased   HistoryKind = "released"   // from the quarantine
	HistoryLabeled    HistoryKind = "labeled"    // on the way in, or by somebody
	HistoryRead       HistoryKind = "read"       // by a key, for the first time
	HistoryDrafted    HistoryKind = "drafted"    // it was a draft before
	HistoryAccepted   HistoryKind = "accepted"   // to be sent
	HistoryHeld       HistoryKind = "held"       // until a person decides
	HistoryApproved   HistoryKind = "approved"   // to be sent after all
	HistoryRejected   HistoryKind = "rejected"   // not to be sent
	HistoryExpired    HistoryKind = "expired"    // nobody decided in time
	HistoryEdited     HistoryKind = "edited"     // by a person who had to decide
	HistoryMoved      HistoryKind = "moved"      // to be sent at another time
	HistoryCanceled   HistoryKind = "canceled"   // for a recipient
	HistoryOnHold     HistoryKind = "on_hold"    // in the queue, for a recipient
	HistoryOffHold    HistoryKind = "off_hold"   // to be sent after all
	HistoryAttempt    HistoryKind = "attempt"    // to deliver it
	HistoryDelivered  HistoryKind = "delivered"  // as somebody said later
	HistoryBounced    HistoryKind = "bounced"    // or it failed
	HistoryComplained HistoryKind = "complained" // the recipient did
	HistoryWebhook    HistoryKind = "webhook"    // an attempt to post an event about it
)

// HistoryEntry is one thing that happened to a message. Of some kinds entries are stored; the others are made from what
// is stored anyway.
type HistoryEntry struct {
	At    time.Time
	Kind  HistoryKind
	Actor string // the id of a key, or "operator"; empty: nobody in particular
	Name  string // of the actor, for people; it is not stored
	HistoryFacts

	Trace   Trace   // of what was received
	Verdict Verdict // of what was checked
}

// HistoryFacts are what an entry says. Which of them it has depends on its kind.
type HistoryFacts struct {
	Recipient string
	Status    string   // that the delivery, or the attempt, has then
	Reason    string   // why
	Attempt   int      // which one, from 1
	Code      int      // of an answer; 0: there was none
	Answer    string   // the other server's words, or what went wrong
	Server    string   // that was spoken to
	TLS       string   // with it
	Added     []string // labels
	Removed   []string
	Draft     string // its id
	Version   int64  // of the draft, or of the message that was decided on
	SendAt    time.Time
	Event     string // that was posted
	URL       string // where to
}

// Encode gives the facts as one text, for a store. The zero value is empty.
func (f HistoryFacts) Encode() string { return encode(f) }

// DecodeHistoryFacts reads what Encode wrote.
func DecodeHistoryFacts(text string) (f HistoryFacts) {
	_ = json.Unmarshal([]byte(text), &f) // what cannot be read says nothing
	return f
}

// by names the actor in a sentence.
func (e HistoryEntry) by() string {
	switch {
	case e.Actor == "":
		return ""
	case e.Actor == TheOperator:
		return " by the operator"
	case strings.HasPrefix(e.Actor, ReviewerByMail):
		return " by the reviewer " + strings.TrimPrefix(e.Actor, ReviewerByMail) + ", by mail"
	case e.Name != "":
		return " by the key " + strconv.Quote(e.Name)
	}
	return " by the key " + e.Actor
}

// Sentence says for people what happened.
func (e HistoryEntry) Sentence() string {
	switch e.Kind {
	case HistoryReceived:
		return e.received()
	case HistoryChecked:
		return e.checked()
	case HistoryLabeled:
		return e.labeled()
	case HistoryRead:
		return "Read for the first time" + e.by() + "."
	case HistoryDrafted:
		return fmt.Sprintf("Begun as the draft %s, which was sent in its version %d.", e.Draft, e.Version)
	case HistoryAccepted:
		return "Accepted to be sent" + e.by() + e.protocol() + e.later() + "."
	case HistoryHeld:
		return "Held until a person decides" + colon(e.Reason)
	case HistoryApproved:
		return "Approved" + e.by() + colon(e.Reason)
	case HistoryRejected:
		return "Rejected" + e.by() + colon(e.Reason)
	case HistoryExpired:
		return "Nobody decided in time: it is not sent."
	case HistoryReleased:
		return "Released from the quarantine" + e.by() + "."
	case HistoryEdited:
		return fmt.Sprintf("Edited%s: it has version %d.", e.by(), e.Version)
	case HistoryMoved:
		return "Moved" + e.by() + e.later() + "."
	case HistoryCanceled:
		return "Canceled" + e.by() + " for " + e.Recipient + "."
	case HistoryOnHold:
		return "Kept in the queue" + e.by() + ": it is not sent to " + e.Recipient + " for now."
	case HistoryOffHold:
		return "Released in the queue" + e.by() + ": it goes on to " + e.Recipient + "."
	case HistoryAttempt:
		return e.attempted()
	case HistoryDelivered:
		return "Reported as delivered to " + e.Recipient + "."
	case HistoryBounced:
		return "Not delivered to " + e.Recipient + colon(e.Reason)
	case HistoryComplained:
		return e.Recipient + " complained about it" + colon(e.Reason)
	case HistoryWebhook:
		return e.posted()
	}
	return ""
}

// colon adds a text after a colon and ends the sentence.
func colon(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "."
	}
	return ": " + strings.TrimRight(text, ".") + "."
}

func (e HistoryEntry) protocol() string {
	if e.Trace.Proto == "" {
		return ""
	}
	return " over " + e.Trace.Proto
}

func (e HistoryEntry) later() string {
	if e.SendAt.IsZero() {
		return ""
	}
	return ", to be sent at " + e.SendAt.UTC().Format(time.RFC3339)
}

func (e HistoryEntry) received() string {
	t := e.Trace
	if t.Remote == "" {
		return "Received" + e.protocol() + " for " + e.Recipient + "."
	}
	from, secured := t.Remote, "without TLS"
	if t.Helo != "" {
		from = t.Helo + " (" + t.Remote + ")"
	}
	switch {
	case t.TLS != "":
		secured = "with " + t.TLS
	case strings.HasSuffix(strings.TrimSuffix(t.Proto, "A"), "S"):
		secured = "with TLS"
	}
	sender := t.From
	if sender == "" {
		sender = "nobody (the null sender)"
	}
	return fmt.Sprintf("Received from %s over %s, %s, from the envelope sender %s for %s.", from, t.Proto, secured,
		sender, e.Recipient)
}

func (e HistoryEntry) checked() string {
	level := e.Verdict.Trust.Level
	if level == "" {
		level = Unverified
	}
	found := "The sender is "
	if a := e.Verdict.Auth; a.Checked {
		found = fmt.Sprintf("SPF %s, DKIM %s, DMARC %s; the sender is ", a.SPF, a.DKIM, a.DMARC)
	}
	found += string(level) + colon(strings.Join(e.Verdict.Trust.Reasons, " "))
	if s := e.Verdict.Scan; s.Verdict != "" {
		found += fmt.Sprintf(" The scanner says %s (score %.4g of %.4g).", s.Verdict, s.Score, s.Required)
	}
	if s := e.Verdict.Scan; len(s.Blocklists) > 0 {
		found += " The client's address is listed by " + strings.Join(s.Blocklists, ", ") + "."
	}
	return found
}

func (e HistoryEntry) labeled() string {
	var parts []string
	if len(e.Added) > 0 {
		parts = append(parts, "added "+strings.Join(e.Added, ", "))
	}
	if len(e.Removed) > 0 {
		parts = append(parts, "removed "+strings.Join(e.Removed, ", "))
	}
	return "Labels" + e.by() + colon(strings.Join(parts, "; "))
}

func (e HistoryEntry) attempted() string {
	if e.Server == CaptureHost {
		return fmt.Sprintf("Attempt %d for %s stayed on this server%s", e.Attempt, e.Recipient, colon(e.answer()))
	}
	at := ""
	if e.Server != "" {
		at = " at " + e.Server
		if e.TLS != "" {
			at += " with " + e.TLS
		}
	}
	result := "failed"
	switch e.Code / 100 {
	case 2:
		result = "was accepted"
	case 4:
		result = "was put off"
	case 5:
		result = "was refused"
	}
	return fmt.Sprintf("Attempt %d for %s%s %s%s", e.Attempt, e.Recipient, at, result, colon(e.answer()))
}

// answer is what the other server said.
func (e HistoryEntry) answer() string {
	text := strings.TrimSpace(e.Answer)
	if code := strconv.Itoa(e.Code); e.Code > 0 && !strings.HasPrefix(text, code) {
		text = strings.TrimSpace(code + " " + text)
	}
	return text
}

func (e HistoryEntry) posted() string {
	to := ""
	if e.URL != "" {
		to = " to " + e.URL
	}
	switch {
	case e.Attempt == 0:
		return "The event " + e.Event + " is to be posted" + to + "."
	case e.Reason != "":
		return fmt.Sprintf("Posting the event %s%s failed%s", e.Event, to, colon(e.Reason))
	}
	return fmt.Sprintf("The event %s was posted%s and answered with %d.", e.Event, to, e.Code)
}
