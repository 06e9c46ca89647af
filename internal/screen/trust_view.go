package screen

import (
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// trustView is a mail as the rules of trust ask for it.
type trustView struct {
	*Mail
	domain      string // of From, in lower case, as people read it
	registrable string
	relayed     bool   // it comes from a service that forwards mail, and rewrites who sent it
	author      string // the registrable domain of who wrote what was forwarded
	name        string // of the sender, folded
	elsewhere   bool   // answers go to another domain
	signs       []string
	words       *atomic.Uint64 // 0 until asked for
}

func newView(m *Mail) *trustView {
	v := &trustView{Mail: m, domain: domainOf(m.From), words: m.words}
	if v.words == nil {
		v.words = new(atomic.Uint64)
	}
	v.registrable = registrable(v.domain)
	if isRelay(v.domain) && (!m.Auth.Checked || Passed(m.Auth)) {
		v.relayed, v.author = true, registrable(domainOf(Author(m.From)))
	}
	v.name = string(lexicon.Fold(nil, latinName(m.FromName[:min(len(m.FromName), longestName)])))
	v.elsewhere = v.repliesElsewhere()
	return v
}

const longestName = 200 // bytes

// latinName is a name with Latin letters for those that look like them, where one of its words has both.
func latinName(name string) string {
	for w := range strings.FieldsSeq(name) {
		if isMixed(w) {
			return strings.Map(func(c rune) rune { return lookAlike(unicode.ToLower(c)) }, name)
		}
	}
	return name
}

// means is what the subject and the beginning of the text speak of.
func (v *trustView) means() lexicon.Set {
	const longest = 2 << 10
	means := lexicon.Set(v.words.Load())
	if means == 0 {
		means = looked | trustWords().In(v.Subject[:min(len(v.Subject), longest)]) |
			trustWords().In(v.Text[:min(len(v.Text), longest)])
		v.words.Store(uint64(means))
	}
	return means
}

// namesAddress tells whether the sender's name has an address in it, of another domain than the sender's.
func (v *trustView) namesAddress() bool {
	if v.relayed {
		return false
	}
	if v.isAgent() {
		return false
	}
	for word := range strings.FieldsSeq(v.FromName[:min(len(v.FromName), longestName)]) {
		word = strings.Trim(word, "\"'<>()[],;:")
		i := strings.LastIndexByte(word, '@')
		if i <= 0 || !strings.Contains(word[i:], ".") {
			continue
		}
		// QUIRK: lists send as "Ann via list", or with the author's address as the name.
		if d := registrable(domainOf(word)); d != "" && d != v.registrable && !v.listed() {
			return true
		}
	}
	return false
}

// isAgent tells whether a service that its domain stands for writes for somebody, and says so with its name: "Ann via
// Dropbox" from dropbox.com.
func (v *trustView) isAgent() bool {
	_, service, ok := strings.Cut(v.name, " via ")
	return ok && v.Auth.Checked && Passed(v.Auth) && strings.Trim(service, " .)\"'") == label(v.registrable)
}

// listed tells whether the mail came through a list.
func (v *trustView) listed() bool {
	if v.Header == nil {
		return false
	}
	return v.Header("List-Id") != "" || v.Header("List-Post") != "" || v.handedOut()
}

// handedOut tells of a list without fields of its own: the sender of bulk mail is an address of the domain where
// answers go, or nobody says where they go.
func (v *trustView) handedOut() bool {
	switch strings.ToLower(strings.TrimSpace(v.Header("Precedence"))) {
	case "bulk", "list":
	default:
		return false
	}
	by := registrable(domainOf(v.Header("Sender")))
	if by == "" {
		return false
	}
	return len(v.ReplyTo) == 0 || registrable(domainOf(v.ReplyTo[0])) == by
}

// passedOn tells of mail for which DMARC fails because of its way, and not because somebody else wrote it: a list has
// changed it, or a forwarding service has put itself into the return path. SPF passes for whoever did, who has to be
// named in the mail. Where the author's domain asks for such mail to be put aside, it is.
func (v *trustView) passedOn() bool {
	if v.Auth.SPF != "pass" || v.Policy == "quarantine" || v.Policy == "reject" || v.EnvelopeFrom == "" {
		return false
	}
	if rewritten(v.EnvelopeFrom) == v.registrable && v.registrable != "" {
		return true
	}
	by := registrable(domainOf(v.EnvelopeFrom))
	if by == "" || by == v.registrable || !v.listed() {
		return false
	}
	id := strings.ToLower(strings.Trim(v.Header("List-Id"), " >"))
	return strings.HasSuffix(id, "."+by) || registrable(domainOf(v.Header("Sender"))) == by
}

// rewritten is the registrable domain that a return path had before it was forwarded (SRS0=hash=time=domain=user@…, or
// SRS1 with that of the forwarder before).
func rewritten(path string) string {
	local, _, _ := strings.Cut(strings.ToLower(path), "@")
	if !strings.HasPrefix(local, "srs0") && !strings.HasPrefix(local, "srs1") {
		return ""
	}
	const fields = 3 // after the domain: the user; before it: SRS0, a hash, the time
	parts := strings.Split(strings.Replace(local, "+", "=", 1), "=")
	for i := fields; i < len(parts)-1; i++ {
		if strings.Contains(parts[i], ".") {
			return registrable(parts[i])
		}
	}
	return ""
}

// namesBrand tells whether the sender's name is that of a company, and the domain is not one of the company's.
func (v *trustView) namesBrand() bool {
	if v.name == "" || v.domain == "" || strings.Contains(v.name, " via ") {
		return false
	}
	for i := range len(v.name) {
		if i > 0 && v.name[i-1] != ' ' {
			continue
		}
		for _, b := range brandsBy[v.name[i]] {
			if strings.HasPrefix(v.name[i:], b.name) && v.isNamed(b.name) && !b.owns(v.registrable) &&
				!b.owns(v.author) {
				return true
			}
		}
	}
	return false
}

// misleads tells whether a link shows a domain of another organization than the sender's, and leads elsewhere. A sender
// that is who it says may lead from its own name to wherever it likes, as those do who count clicks.
func (v *trustView) misleads() bool {
	if !v.Mismatched || !v.Auth.Checked || !Passed(v.Auth) || len(v.Shown) == 0 {
		return v.Mismatched
	}
	for _, d := range v.Shown {
		if d != v.registrable && d != v.author {
			return true
		}
	}
	return false
}

// showsBrand tells whether a link shows the domain of a well-known company that is neither the sender's nor where it
// leads, in a first mail for which no domain stands.
func (v *trustView) showsBrand() bool {
	return !v.Known && v.Auth.Checked && !Passed(v.Auth) && v.misleads() && v.isBrandOfOthers(v.Shown)
}

// tracksBrand tells whether a link shows the domain of a well-known company that is not the sender, and leads to a
// service that counts clicks, which anybody can have as a customer.
func (v *trustView) tracksBrand() bool {
	return v.isBrandOfOthers(v.Tracked)
}

// isBrandOfOthers tells whether a domain is that of a well-known company that is not the sender.
func (v *trustView) isBrandOfOthers(domains []string) bool {
	for _, d := range domains {
		for i := range brands {
			if d != v.registrable && brands[i].owns(d) && !brands[i].owns(v.registrable) {
				return true
			}
		}
	}
	return false
}

// nameWords are what companies add to their names as senders.
var nameWords = map[string]bool{
	"support": true, "security": true, "team": true, "service": true, "services": true, "customer": true,
	"account": true, "accounts": true,
	"billing": true, "help": true, "notification": true, "notifications": true, "alert": true, "alerts": true,
	"no-reply": true, "noreply": true,
	"inc": true, "inc.": true, "bank": true, "online": true, "id": true, "pay": true, "the": true, "center": true,
	"centre": true, "care": true,
	"info": true, "payments": true, "update": true, "verification": true, "365": true, "office": true, "com": true,
	"express": true, "prime": true,
	"kundenservice": true, "sicherheit": true, "helpdesk": true, "desk": true, "admin": true, "administrator": true,
	"com.": true, "llc": true,
	"delivery": true, "tracking": true, "drive": true, "docs": true, "wallet": true, "from": true, "&": true, "-": true,
	"|": true,
}

// isNamed tells whether the sender's name is a company's, with nothing but such words around it: "Apple Support", not
// "Apple Pie Bakery".
func (v *trustView) isNamed(brand string) bool {
	before, after, ok := strings.Cut(v.name, brand)
	if !ok || before != "" && !strings.HasSuffix(before, " ") || after != "" && strings.IndexByte(" .,'-|",
		after[0]) < 0 {
		return false
	}
	for word := range strings.FieldsSeq(before + " " + strings.TrimLeft(after, ".,'|-")) {
		if !nameWords[strings.Trim(word, ".,()[]")] {
			return false
		}
	}
	return true
}

// namesCorrespondent tells whether the sender's name shows a domain that is known, and the address has another.
func (v *trustView) namesCorrespondent() bool {
	if !strings.Contains(v.name, ".") || v.relayed {
		return false
	}
	for i, d := range v.Correspondents {
		if i == maxCorrespondents {
			break
		}
		d = strings.ToLower(d)
		if r := registrable(d); r != "" && r != v.registrable && hasWord(v.name, r) && !v.listed() {
			return true
		}
	}
	return false
}

// hasWord tells whether a name has a domain as a word, or as the end of one.
func hasWord(name, domain string) bool {
	i := strings.Index(name, domain)
	if i < 0 || i > 0 && isAlphanumeric(name[i-1]) {
		return false
	}
	end := i + len(domain)
	return end == len(name) || !isAlphanumeric(name[end]) && name[end] != '.' && name[end] != '-'
}

func isAlphanumeric(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '-' }

// repliesElsewhere tells whether all answers go to another registrable domain. Lists do so, and mean no harm.
func (v *trustView) repliesElsewhere() bool {
	if len(v.ReplyTo) == 0 || v.domain == "" || v.listed() {
		return false
	}
	for i, to := range v.ReplyTo {
		if d := registrable(domainOf(to)); d == "" || d == v.registrable || i == maxFindings {
			return false
		}
	}
	return true
}

// freeCompany tells of a sender that calls itself a company, a bank or a department, and writes from a free mail
// service.
func (v *trustView) freeCompany() bool {
	return freeMail[v.registrable] && trustWords().In(v.name).Any(company)
}
