package mailbox

import (
	"encoding/json"
	"time"
)

// Control is what the people behind an agent have decided about its mailbox. The agent's own key reads it and cannot
// change it. The zero value is a mailbox about which nothing was decided.
type Control struct {
	// UndoSeconds is for how long every message waits before it is sent, so that it can be canceled; 0: not at all.
	UndoSeconds int
	// Lists are those of the mailbox that have entries; the store of the entries is asked only where it names some.
	Lists []List
	// SendPolicy is which of the mailbox's messages a person has to approve; empty: none.
	SendPolicy SendPolicy
	// ReceiveAction is what is done with mail that the lists do not let in; empty: what the deployment does.
	ReceiveAction ReceiveAction
	// Reviewers are the addresses that are told of messages which wait for approval; none: those of the deployment.
	Reviewers []string
	// Brakes is whether the brakes of the mailbox are on.
	Brakes Switch
	// SendingPaused says that the brakes have stopped the mailbox; nil: they have not.
	SendingPaused *SendingPause
	// Limits are how much it may hold and do; nil: the deployment's defaults.
	Limits *Caps
	// Told is which notices of use the owner has already been sent. Nobody decides it.
	Told QuotaTold
}

// Switch is on, off, or as the deployment says.
type Switch string

const (
	SwitchDefault Switch = ""
	SwitchOn      Switch = "on"
	SwitchOff     Switch = "off"
)

// On reports whether the switch is on, given the deployment's default.
func (s Switch) On(byDefault bool) bool { return s == SwitchOn || s == SwitchDefault && byDefault }

// SendingPause is why and since when a mailbox sends nothing.
type SendingPause struct {
	Excess
	Reason string
	At     time.Time
}

// MaxUndoSeconds is the most that UndoSeconds can be.
const MaxUndoSeconds = 300

// Undo is how long every message waits before it is sent.
func (c Control) Undo() time.Duration { return time.Duration(c.UndoSeconds) * time.Second }

// Encode gives it as one text, for a store. The zero value is empty.
func (c Control) Encode() string { return encode(c) }

// DecodeControl reads what Encode wrote.
func DecodeControl(text string) (c Control) {
	_ = json.Unmarshal([]byte(text), &c) // settings that cannot be read count as not decided
	return c
}

func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Control is what was decided about the mailbox.
func (m Mailbox) Control() Control {
	return valueOf(m.Decided)
}

// SetControl decides about the mailbox.
func (m *Mailbox) SetControl(c Control) {
	if m.Decided = &c; c.Encode() == "" {
		m.Decided = nil
	}
}
