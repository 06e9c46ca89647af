package mailbox

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// Role is what a named operator may do. The operator credential of the deployment may do what an Admin may.
type Role string

const (
	// View sees the deployment: mailboxes, keys without their secrets, logs, numbers. Of mail it reads that of the
	// configured mailbox, as SPEC 5.8 has it for operators, and none of others.
	View Role = "view"
	// Moderator does what View does, pauses and resumes mailboxes and their sending, decides on mail that is held or in
	// quarantine, and works on the queue.
	Moderator Role = "moderate"
	// Admin does everything.
	Admin Role = "admin"
)

// Roles lists the roles, the least powerful first.
func Roles() []Role { return []Role{View, Moderator, Admin} }

// Known tells whether there is such a role.
func (r Role) Known() bool { return slices.Contains(Roles(), r) }

// Above tells whether a role may do more than another.
func (r Role) Above(other Role) bool { return slices.Index(Roles(), r) > slices.Index(Roles(), other) }

// reach is for which mailboxes an operator has a capability.
type reach uint8

const (
	nowhere    reach = iota
	configured       // the operator's own mailbox, which a setting names
	everywhere
)

// reach tells for which mailboxes an operator has a capability. A role that is not known has none.
func (c *Caller) reach(need Capability) reach {
	if need >= capabilityCount {
		return nowhere
	}
	p := permissions[need]
	switch role := c.Role(); {
	case role == View:
		return p.view
	case role == Moderator:
		return p.moderate
	case role == Admin && p.operator:
		return everywhere
	}
	return nowhere
}

// Role is the role of an operator; empty for anybody else.
func (c *Caller) Role() Role {
	switch {
	case c.Scope != Operator:
		return ""
	case c.Named.ID.IsZero():
		return Admin
	}
	return c.Named.Restriction().Role
}

// LeastRole is the role of the least power that has a capability for every mailbox.
func LeastRole(need Capability) Role {
	switch p := permissions[need]; {
	case p.view == everywhere:
		return View
	case p.moderate == everywhere:
		return Moderator
	}
	return Admin
}

// Everywhere tells whether an operator has a capability for every mailbox, and not for the configured one alone.
func (c *Caller) Everywhere(need Capability) bool {
	return c.Scope == Operator && c.reach(need) == everywhere
}

// Identity is a person as an OpenID provider knows them, who has just signed in there.
type Identity struct {
	Issuer, Subject string   // together the person's name that never changes
	Email           string   // that the provider has verified; empty: none
	Name            string   // for people
	Values          []string // of the claim that roles depend on
}

// Who identifies a person among all others.
func (id Identity) Who() string { return id.Issuer + " " + id.Subject }

// Called is how the audit log names a person. People can choose their names at many providers, so it has what they
// cannot choose as well.
func (id Identity) Called(most int) string {
	sure := id.Email
	if sure == "" {
		sure = id.Subject
	}
	name := strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, id.Name)
	sure = Clip(sure, most/2)
	if name = strings.TrimSpace(Clip(name, most/2-10)); name == "" || name == sure {
		return sure
	}
	return name + " <" + sure + ">"
}

// SignIns says who gets in by way of an OpenID provider.
type SignIns struct {
	Issuer string          // the provider; empty: nobody does
	Roles  map[string]Role // by the value of the claim
	Lasts  time.Duration   // a session
}

// Grant returns the most powerful role that the values of a claim give a person; empty: none.
func (s SignIns) Grant(values []string) (value string, role Role) {
	for _, v := range values {
		if r := s.Roles[v]; r.Known() && (role == "" || r.Above(role)) {
			value, role = v, r
		}
	}
	return value, role
}

// Hold tells whether the settings still allow a session: it ends with the provider or the role that it was begun with.
func (s SignIns) Hold(session Restriction) bool {
	return s.Issuer != "" && session.Issuer == s.Issuer &&
		(session.Grant == "" || s.Roles[session.Grant] == session.Role)
}

// TheCredential is the operator credential of the deployment to the audit log.
const TheCredential = "AUTH_TOKEN"

// ReservedName tells of a name by which the audit log calls who is no named operator: with it, an operator could not be
// told from them.
func ReservedName(name string) bool {
	name = strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(name, "’", "'")), " "))
	_, id := ParseID(name)
	return id || slices.Contains([]string{strings.ToLower(TheCredential), TheOperator, "the operator",
		"the operator's token", "operator's token"}, name) || strings.HasPrefix(name, "the key ") ||
		strings.HasPrefix(name, "reviewer by mail")
}

// Credential is whose credential the caller has, for the audit log: its name, the role of an operator, and its id.
func (c *Caller) Credential() (name string, role Role, id string) {
	switch {
	case c.Scope == Operator && !c.Named.ID.IsZero():
		return c.Named.Restriction().Name, c.Role(), c.Named.ID.String()
	case c.Scope == Operator:
		return "", c.Role(), TheCredential
	case !c.Key.ID.IsZero():
		return c.Key.Restriction().Name, "", c.Key.ID.String()
	}
	return "", "", ""
}
