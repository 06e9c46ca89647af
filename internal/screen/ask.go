package screen

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// familiar tells whether a mail is from somebody whom the mailbox knows, and authentication vouches for that.
func (m *Mail) familiar() bool { return m.Known && m.Auth.Checked && Passed(m.Auth) }

// named joins the name of a model with the order that follows it: "Assistant, forward", "Note for the bot: delete",
// "all AI agents must send". An order is what an agent can do; where the model is only spoken of, it must also be
// something that does harm.
func (r *reader) named(text string, means lexicon.Set) lexicon.Set {
	if strings.Contains(text, "ou, the ") && r.calls(text) {
		return addressed
	}
	if !means.Any(helperWord|model|automatic) || means.Any(never) && !means.Any(keepFrom|quietly|unchecked) {
		return 0
	}
	if !means.Any(model|automatic) && spoken().In(text).Any(colleague) {
		return 0
	}
	switch {
	case r.vocative(text), r.toMachine(text, means):
		return addressed | must
	case means.Any(should) && means.Any(deeds) && means.Any(risky) && r.obliged(text):
		return addressed | must
	}
	return 0
}

// vocative tells whether a sentence begins by naming a helper and gives it an order: before a colon with some words, or
// before a comma with none but a greeting.
func (r *reader) vocative(text string) bool {
	text = fromWord(text)
	const most = 6 // words
	if i := strings.IndexAny(text, ":："); i > 0 && i <= longestHeading {
		head, said := text[:i], text[i+1:]
		if strings.Count(head, " ") < most && r.words.In(head).Any(helperWord|model) {
			means := r.words.In(said)
			return means.Any(deeds) && means.Any(must) || r.isFirm(text, said, starts)
		}
	}
	head, said, ok := strings.Cut(text, ", ")
	if !ok || len(head) > longestHeading/2 || strings.Count(head, " ") > 2 {
		return false
	}
	for _, word := range []string{"dear ", "hi ", "hey ", "hello ", "to the ", "to any "} {
		if len(head) > len(word) && strings.EqualFold(head[:len(word)], word) {
			head = head[len(word):]
		}
	}
	return r.words.Whole(head).Any(helperWord|model) &&
		(r.commands(said, starts) || spoken().AtStart(fromWord(said)).Any(firm))
}

// obliged tells whether a helper is the one who must do something: the verb follows its name in the same clause. Where
// words are ordered in another way, as in languages beyond ASCII, that both are there is enough.
func (r *reader) obliged(text string) bool {
	const near = 60 // bytes
	end := -1
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return true
		}
	}
	folded := string(lexicon.Fold(nil, text))
	for m := range r.words.Find(folded) {
		switch {
		case m.Means.Any(helperWord | model):
			end = m.To
		case m.Means.Any(should) && end >= 0 && m.From-end <= near:
			return !strings.ContainsAny(folded[end:m.From], ",;.") && !strings.HasPrefix(folded[m.To:], " be ")
		}
	}
	return false
}

// targets looks where a sentence wants something to go: to a stranger, or to a page of one.
func (r *reader) targets(text string, means lexicon.Set) (found lexicon.Set) {
	if means.Any(send | visit | change | pays | approves | acts | settings | fetch) {
		found = r.strangers(text, means)
	}
	if means.Any(visit) && means.Any(enter) && found == 0 && r.bareHost(text) {
		found = elsewhere | outside
	}
	return found
}

// bareHost tells whether a text has the name of a host without a scheme, of those who have no part in the mail: "go to
// wallet-check.example and type in".
func (r *reader) bareHost(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimRight(word, ".,;:!?)\"'")
		if i := strings.IndexByte(word, '/'); i > 0 {
			word = word[:i]
		}
		if strings.IndexByte(word, '.') > 0 && hostAt(word) == strings.ToLower(word) && len(word) > 5 &&
			isLetter(word[len(word)-1]) && isLetter(word[len(word)-2]) && !r.mail.takesPart("", hostAt(word)) {
			return true
		}
	}
	return false
}

// strangers looks for addresses that something is to be sent to, and for links, of those who have no part in the mail.
func (r *reader) strangers(text string, means lexicon.Set) (found lexicon.Set) {
	for at := 0; ; at++ {
		i := strings.IndexAny(text[at:], "@:")
		if i < 0 {
			return found
		}
		at += i
		before, after := text[:at], text[at+1:]
		link := strings.HasPrefix(after, "//")
		if link {
			after = after[len("//"):]
		}
		host := hostAt(after)
		switch local := localBefore(before); {
		case strings.IndexByte(host, '.') <= 0:
		case link && means.Any(mails|posts) && means.Any(visit|fetch|execute) && isBlank(after[len(host):]):
			found |= elsewhere | stranger | outside | send | must // what is put into it is sent, be it to the sender
		case link && !r.mail.takesPart("", host):
			found |= elsewhere
		case text[at] == '@' && leadsTo(before[:len(before)-len(local)]) && !r.mail.takesPart(local, host):
			found |= stranger
		}
	}
}

// isBlank tells whether a link has a place in it that somebody is to fill: ?q=CODE, ?q={code}, ?q=<code>.
func isBlank(path string) bool {
	path, _, _ = strings.Cut(path, " ")
	_, value, ok := strings.Cut(path, "=")
	if !ok || value == "" {
		return false
	}
	if strings.IndexByte("{[<$", value[0]) >= 0 {
		return true
	}
	n := 0
	for n < len(value) && (value[n] >= 'A' && value[n] <= 'Z' || value[n] == '_') {
		n++
	}
	return n > 2 && (n == len(value) || !isLetter(value[n]) && (value[n] < '0' || value[n] > '9')) &&
		!strings.HasPrefix(value, "YOUR")
}

// leadsTo tells whether a text ends in a word that something goes to somebody by: "send it to". In languages beyond
// ASCII it may stand elsewhere.
func leadsTo(before string) bool {
	for i := range len(before) {
		if before[i] >= utf8.RuneSelf {
			return true
		}
	}
	before = strings.TrimRight(before, " <:(\"'\r\n")
	return toWords[strings.ToLower(before[strings.LastIndexAny(before, " \n")+1:])]
}

// toWords are such words, in languages whose sentences may well be in ASCII alone.
var toWords = func() map[string]bool {
	of := map[string]bool{}
	for w := range strings.FieldsSeq("to with at add address bcc cc an a al ao aan naar na do ke para till til " +
		"adresse adres adresu alamat pada kepada la su") {
		of[w] = true
	}
	return of
}()

// hostAt is the name of a host that a text begins with.
func hostAt(text string) string {
	i := 0
	for i < len(text) && (isLetter(text[i]) || text[i] >= '0' && text[i] <= '9' || text[i] == '-' || text[i] == '.') {
		i++
	}
	return strings.ToLower(strings.TrimRight(text[:i], "."))
}

// localBefore is the local part of an address that a text ends in.
func localBefore(text string) string {
	return text[strings.LastIndexAny(text, " <>\t\r\n,;:(\"'")+1:]
}

// takesPart tells whether an address or a host is of the organization of the author or of a recipient. At a free mail
// service everybody is somebody else.
func (m *Mail) takesPart(local, host string) bool {
	free := freeMail[registrable(host)]
	same := func(address string) bool {
		theirs, domain, _ := strings.Cut(address, "@")
		return domain != "" && SameOrganization(domain, host) && (!free || strings.EqualFold(theirs, local))
	}
	for _, list := range [][]string{{m.From}, m.ReplyTo, m.Parties[:min(len(m.Parties), 4*MaxParties)]} {
		for _, address := range list {
			if same(address) {
				return true
			}
		}
	}
	return false
}

// hasNumber tells whether a text has a number as long as that of an account, which may be in groups.
func hasNumber(text string) bool {
	const fewest = 8
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			if digits++; digits == fewest {
				return true
			}
		case c == ' ' || c == '-' || c >= 'A' && c <= 'Z':
		default:
			digits = 0
		}
	}
	return false
}
