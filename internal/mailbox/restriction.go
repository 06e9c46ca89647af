package mailbox

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"slices"
	"time"
)

// Restriction is what a key was bound to when it was made: less than its scope may do or, for reviewers and keys with
// control, something else. The zero value restricts nothing.
type Restriction struct {
	Name            string         // for people
	Capabilities    []string       // of Grants; none: what the scope may
	Recipients      []Pattern      // whom it may write to; none: anybody
	Networks        []netip.Prefix // where it may come from; none: anywhere
	Domain          string         // whose addresses it may send from; empty: all that its mailbox may
	ExpiresAt       time.Time      // zero: never
	Several         bool           // it opens further mailboxes, which the store lists
	CreateMailboxes bool           // and may make such
	Maker           []byte         // digest of the key that made it, and with which it ends; none: a person made it
	Role            Role           // of a named operator; empty: it is a mailbox's key
	Email           string         // of a named operator, who may sign in at the provider with it; empty: none
	Subject         string         // of a named operator who has signed in at the provider: issuer and name there
	Session         bool           // it is a sign-in of the operator that made it, and sent as a cookie
	Client          string         // where a session was begun from
	Issuer          string         // of a session: the provider at which it was begun
	Grant           string         // of a session: the value of the claim that gave the role; empty: none did
}

// grants are the capabilities that can be named when a key is made, and what each is for.
var grants = map[string][]Capability{
	"read":    {ReadMailbox, ReadStats, ReadMail, ReadCode, ExtractData, ReadAttachment},
	"code":    {ReadCode},
	"send":    {SendMail, RecallMail, DraftMail},
	"draft":   {DraftMail},
	"review":  {ReviewMail, ReadMailbox},
	"manage":  {ChangeMail, ReadManaged, ManageMailbox, ChangeSettings, PauseMailbox, DeleteMailbox},
	"control": {ControlMailbox, ResumeSending, ChangeSettings, ReadMailbox},
}

// GrantNames lists what can be named, in the order it is shown.
func GrantNames() []string {
	return []string{"read", "code", "send", "draft", "review", "manage", "control"}
}

// Limits reports whether the restriction changes what the key's scope may do.
func (r Restriction) Limits() bool { return len(r.Capabilities) > 0 || r.CreateMailboxes }

// Grants tells whether a key with this restriction has a capability.
func (r Restriction) Grants(need Capability) bool {
	switch need {
	case KnowSelf, RotateKey:
		return true
	case CreateMailbox:
		return r.CreateMailboxes
	}
	if len(r.Capabilities) == 0 {
		return Permanent.May(need)
	}
	return slices.ContainsFunc(r.Capabilities, func(name string) bool { return slices.Contains(grants[name], need) })
}

// Admits reports whether the key may be used from an address.
func (r Restriction) Admits(from netip.Addr) bool {
	return len(r.Networks) == 0 || slices.ContainsFunc(r.Networks, func(p netip.Prefix) bool {
		return p.Contains(from.Unmap())
	})
}

// Within narrows the restriction to that of the key's maker. False: nothing is left.
func (r Restriction) Within(of Restriction) (Restriction, bool) {
	left := true
	if len(of.Capabilities) > 0 {
		if len(r.Capabilities) == 0 {
			r.Capabilities = of.Capabilities
		}
		r.Capabilities = slices.DeleteFunc(slices.Clone(r.Capabilities), func(name string) bool {
			return slices.ContainsFunc(grants[name], func(c Capability) bool { return !of.Grants(c) })
		})
		left = len(r.Capabilities) > 0
	}
	if r.Domain == "" {
		r.Domain = of.Domain
	}
	if of.Domain != "" && r.Domain != of.Domain {
		left = false
	}
	r.Recipients, r.Networks = within(r.Recipients, of.Recipients), within(r.Networks, of.Networks)
	if !of.ExpiresAt.IsZero() && (r.ExpiresAt.IsZero() || r.ExpiresAt.After(of.ExpiresAt)) {
		r.ExpiresAt = of.ExpiresAt
	}
	return r, left
}

// within returns the entries of a list that another list has, too; an empty list stands for everything.
func within[T comparable](list, of []T) []T {
	others := slices.ContainsFunc(list, func(one T) bool { return !slices.Contains(of, one) })
	if len(of) > 0 && (len(list) == 0 || others) {
		return of
	}
	return list
}

// Encode gives a restriction as one text, for a store. The zero value is empty.
func (r Restriction) Encode() string {
	return encode(r)
}

// encode gives a noun as JSON, for a store; empty if it is zero.
func encode(noun any) string {
	if reflect.ValueOf(noun).IsZero() {
		return ""
	}
	text, _ := json.Marshal(noun) // the types of nouns cannot fail to encode
	return string(text)
}

// DecodeRestriction reads what Encode wrote. What cannot be read grants nothing.
func DecodeRestriction(text string) (r Restriction) {
	if text == "" {
		return Restriction{}
	}
	if json.Unmarshal([]byte(text), &r) != nil {
		return Restriction{Capabilities: []string{"unreadable"}}
	}
	return r
}
