package mailbox

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// HookRoute is a webhook of a mailbox besides its own (API 4). One kind is named by its label: it gets the events of
// the messages that have it. The other kind is named by an id, and has a secret and a choice of events of its own.
type HookRoute struct {
	Mailbox   Num
	ID        ID     // zero: it is named by its label
	Label     string // of the messages that it is for; empty: all
	CreatedAt time.Time
	Webhook   Webhook // its URL is a target's: see Target
	RouteSettings
}

// RouteSettings are what a route has besides its URL and its label.
type RouteSettings struct {
	Events  []string // names, in the words of the form; none: those that webhooks get without asking
	Form    HookForm
	Headers []Field // that every post has besides ours
	SecretTurns
	Disabled  bool   // nothing is posted to it
	ClientID  string // the caller's own name for it
	UpdatedAt time.Time
	About     string // the label of a route that has an id

	// Of a route that several mailboxes have: the one that it was made for first, which its secret is made from; zero:
	// this one.
	Home   Num
	HomeAt time.Time // when that mailbox was made
	Wide   ID        // the key whose new mailboxes get it, too; zero: none
}

// In is the same route in another mailbox.
func (r HookRoute) In(num Num, home Mailbox) HookRoute {
	if r.Home == 0 {
		r.Home, r.HomeAt = home.Num, home.CreatedAt
	}
	r.Mailbox, r.Webhook = num, Webhook{URL: r.Webhook.URL}
	return r
}

// HookForm is in whose words events are posted.
type HookForm string

const (
	FormOwn       HookForm = "" // as SPEC 6.1 says
	FormResend    HookForm = "resend"
	FormAgentMail HookForm = "agentmail"
)

// HookForms lists the forms, in the order they are shown.
func HookForms() []HookForm { return []HookForm{FormOwn, FormResend, FormAgentMail} }

// HasBodies tells whether events have whole messages in this form.
func (f HookForm) HasBodies() bool { return f == FormAgentMail }

// ByMessageID tells whether events name a message by its Message-ID in this form.
func (f HookForm) ByMessageID() bool { return f == FormAgentMail }

// HasTags tells whether events have the tags of their messages in this form, and all their recipients.
func (f HookForm) HasTags() bool { return f == FormResend }

// Name is what the form is called.
func (f HookForm) Name() string {
	if f == FormOwn {
		return "v1"
	}
	return string(f)
}

// ParseHookForm reads what Name writes; nothing is our own.
func ParseHookForm(text string) (HookForm, error) {
	if text == "" || text == "v1" {
		return FormOwn, nil
	}
	if f := HookForm(text); slices.Contains(HookForms(), f) {
		return f, nil
	}
	return "", InvalidField("form", "form is v1, resend or agentmail.")
}

// routeMark is between the URL of a route and its id, in the URL of its target. What follows a # is never sent.
const routeMark = "#route="

// Target is the URL of a route's target. Those of routes with an id are their own, so that two routes to the same URL
// have a queue, a secret and a state each.
func (r HookRoute) Target(url string) string {
	url = PostedTo(url)
	if r.ID.IsZero() {
		return url
	}
	before, _, _ := strings.Cut(url, "#")
	return before + routeMark + r.ID.String()
}

// PostedTo is the URL that is posted to, of a target's.
func PostedTo(target string) string {
	url, _, _ := strings.Cut(target, routeMark)
	return url
}

// HostOf is a target's URL without what may be secret in it: a password, a path, what follows.
func HostOf(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// Key names a route in its mailbox, for a store. No label begins like that of an id.
func (r HookRoute) Key() string {
	if r.ID.IsZero() {
		return r.Label
	}
	return "#" + r.ID.String()
}

// SetKey names a route as Key does, after its settings were read.
func (r *HookRoute) SetKey(key string) {
	r.Label = key
	if id, ok := strings.CutPrefix(key, "#"); ok {
		r.ID, _ = ParseID(id)
		r.Label = r.About
	}
}

// Wants tells whether a route gets an event of a kind, which has this name in its form, about a message with labels.
func (r HookRoute) Wants(kind EventKind, name string, labels []string) bool {
	switch {
	case r.Disabled, r.Label != "" && !slices.Contains(labels, r.Label):
		return false
	case len(r.Events) > 0:
		return slices.Contains(r.Events, name)
	}
	return slices.Contains(HookKinds(), kind)
}

// Encode gives the settings as one text, for a store. Those of a route that has none are empty.
func (s RouteSettings) Encode() string { return encode(s) }

// DecodeRouteSettings reads what Encode wrote. Nothing is posted by settings that cannot be read.
func DecodeRouteSettings(text string) (s RouteSettings) {
	if text != "" && json.Unmarshal([]byte(text), &s) != nil {
		return RouteSettings{Disabled: true}
	}
	return s
}
