package screen

import "strings"

// Level is how far a mail can be trusted.
type Level string

// The levels.
const (
	Verified   Level = "verified"   // the sender's domain stands for it, and nothing speaks against it
	Unverified Level = "unverified" // nobody knows
	Suspicious Level = "suspicious" // something speaks against it
)

// Trust is what Judge found. Reasons are short sentences for people.
type Trust struct {
	Level   Level
	Reasons []string
}

// Judge says how far a mail can be trusted.
func Judge(m Mail) Trust {
	v := newView(&m)
	var against, missing []string
	for i := range trustRules {
		r := &trustRules[i]
		if !r.when(v) {
			continue
		}
		switch r.kind {
		case speaksAgainst:
			against = append(against, r.reason)
		case together:
			v.signs = append(v.signs, r.reason)
		default:
			missing = append(missing, r.reason)
		}
	}
	if len(against) > 0 || len(v.signs) > 1 {
		return Trust{Suspicious, append(append(against, v.signs...), missing...)}
	}
	if m.Auth.Checked && Passed(m.Auth) {
		return Trust{Verified, append([]string{"The sender's domain stands for this mail."},
			append(v.signs, missing...)...)}
	}
	return Trust{Unverified, append(missing, v.signs...)}
}

// Passed tells whether the domain of From stands for a mail.
func Passed(a Auth) bool {
	if a.DMARC == "pass" {
		return true
	}
	return a.FromAligned && (a.DKIM == "pass" || a.SPF == "pass")
}

// FirstContact is the reason that a mailbox has had no mail from an address before.
const FirstContact = "First mail from this address."

// trustKind is what a rule is worth.
type trustKind uint8

const (
	speaksAgainst trustKind = iota // suspicious by itself
	together                       // suspicious where two of these come together
	remark                         // what is not known
)

// trustRule is one reason to trust a mail less.
type trustRule struct {
	name   string
	kind   trustKind
	reason string
	when   func(*trustView) bool
}

// trustRules is the table. Rules of the kind together that need another sign find those above them in view.signs.
var trustRules = []trustRule{
	{"dmarc fail", speaksAgainst, "The sender's domain says that this mail is not from it (DMARC failed).",
		func(v *trustView) bool { return v.Auth.Checked && v.Auth.DMARC == "fail" && !v.passedOn() }},
	{"no author", speaksAgainst, "The mail does not say who wrote it: From is missing, or has no valid address with " +
		"a domain.",
		func(v *trustView) bool { return v.NoAuthor }},
	{"several authors", speaksAgainst,
		"The mail names several authors in From, so that it cannot be checked who wrote it.",
		func(v *trustView) bool { return v.SeveralAuthors }},
	{"address as name", speaksAgainst, "The sender's name shows another address than the one it was sent from.",
		(*trustView).namesAddress},
	{"brand as name", speaksAgainst, "The sender's name is that of a well-known company, whose domain the address " +
		"does not have.", (*trustView).namesBrand},
	{"correspondent as name", speaksAgainst, "The sender's name shows the domain of somebody you know, and the " +
		"address has another.", (*trustView).namesCorrespondent},
	{"look-alike domain", speaksAgainst, "The sender's domain looks like that of somebody you know, but is another.",
		(*trustView).looksAlike},
	{"mixed alphabets", speaksAgainst, "The sender's domain mixes letters of several alphabets.",
		(*trustView).mixesAlphabets},
	{"brand in a link", speaksAgainst, "A link shows the domain of a well-known company and leads elsewhere, in a first " +
		"mail that no domain stands for.", (*trustView).showsBrand},
	{"promised money", speaksAgainst, "The first mail from this address promises winnings, an inheritance or a share " +
		"of money.", func(v *trustView) bool { return !v.Known && v.means().Any(windfall) }},
	{"link and sign-in", speaksAgainst, "A link shows another address than it leads to, in a mail about signing in.",
		func(v *trustView) bool { return (v.misleads() || v.tracksBrand()) && v.means().Any(signIn) }},
	{"disguised attachment", speaksAgainst, "An attachment's name hides what kind of file it is.",
		func(v *trustView) bool { return v.attached(isDisguised) }},
	{"executable attachment", speaksAgainst, "An attachment is a program.",
		func(v *trustView) bool { return v.attached(isExecutable) }},
	{"urgent payment", speaksAgainst, "The first mail from this address asks for an urgent payment.",
		func(v *trustView) bool { return !v.Known && v.means().Any(pay) && v.means().Any(urgent) }},

	{"reply elsewhere", together, "Answers would go to another domain than the sender's.",
		(*trustView).repliesElsewhere},
	{"link elsewhere", together, "A link shows another address than it leads to.",
		(*trustView).misleads},
	{"passed on", together, "The sender's domain does not stand for this mail (DMARC failed), as happens to mail that a " +
		"list or a forwarding service passes on.",
		func(v *trustView) bool { return v.Auth.Checked && v.Auth.DMARC == "fail" && v.passedOn() }},
	{"not aligned", together, "Nothing that was checked stands for the sender's domain.",
		func(v *trustView) bool { return v.Auth.Checked && v.Auth.SPF == "fail" && v.Auth.DKIM != "pass" }},
	{"free mail for a company", together, "A company's name with an address at a free mail service.",
		(*trustView).freeCompany},
	{"urgent and unknown", together, "The first mail from this address is urgent, or about signing in.",
		func(v *trustView) bool {
			return !v.Known && (v.elsewhere || v.Auth.DMARC == "fail") &&
				v.means().Any(urgent|signIn|pay)
		}},

	{"no sender", remark, "The mail does not say who sent it.",
		func(v *trustView) bool { return v.domain == "" && !v.NoAuthor }},
	{"not checked", remark, "Sender authentication was not checked.",
		func(v *trustView) bool { return !v.Auth.Checked }},
	{"not passed", remark, "Sender authentication did not pass.",
		func(v *trustView) bool { return v.Auth.Checked && !Passed(v.Auth) && v.Auth.DMARC != "fail" }},
	{"first contact", remark, FirstContact, func(v *trustView) bool { return !v.Known }},
}

// attached tells whether the name of an attachment is of a kind.
func (v *trustView) attached(kind func(name string) bool) bool {
	for _, name := range v.Attachments {
		if kind(strings.ToLower(strings.TrimRight(name, " ."))) {
			return true
		}
	}
	return false
}
