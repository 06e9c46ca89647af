package report

import "strings"

// verdict is what the words and codes about a recipient come to.
type verdict struct {
	known  bool
	hard   bool
	status string // the code that goes with the reason; for where none is given
}

// maxClaim bounds the text that is looked through about one recipient.
const maxClaim = 4 << 10

// claim is all that a report says about one recipient.
type claim struct {
	status string // as given in a field of its own
	words  string // what the server said
	around string // all the text around it, in lower case: what is said there is believed last
	code   int    // of the reply in words
	local  string // the recipient without its domain
	command
}

// recipient makes the result of a claim.
func (c claim) recipient(address string) Recipient {
	c.words = remoteWords(oneLine(c.words, maxClaim))
	r := findReply(c.words)
	c.status = pickStatus(c.status, r)
	if c.command == cmdAny {
		if c.command = findCommand(lower(c.words)); c.command == cmdAny {
			c.command = findCommand(c.around)
		}
	}
	c.code = r.code
	c.local, _, _ = strings.Cut(address, "@")
	v := c.judge()
	if !v.known && c.around != "" {
		v = c.byWords(c.around)
	}
	if c.status == "" {
		c.status = derivedStatus(v.status, r.code)
	}
	hard := v.hard && c.command != cmdConnect // what is refused before RCPT is the sender or its server
	return Recipient{Address: address, Status: c.status, Hard: hard, Text: oneLine(c.words, maxWords)}
}

// NoUser says whether a server that refused a recipient said, in words, that there is no such user or domain.
func NoUser(address string, code int, enhanced, text string) bool {
	c := claim{status: statusCode(enhanced), words: text, code: code}
	c.local, _, _ = strings.Cut(address, "@")
	v := c.byWords(lower(oneLine(text, maxClaim)))
	return v.hard && code/100 == 5
}

// pickStatus chooses between the status field and what the server said: the server knows better, unless it says
// nothing.
func pickStatus(given string, r reply) string {
	given = statusCode(given)
	switch {
	case r.status != "" && (!isVague(r.status) || given == "") && (r.code != 0 || isVague(given)):
		return r.status
	case given == "" && r.code >= 500:
		return "5.0.0"
	case given == "" && r.code >= 400:
		return "4.0.0"
	}
	return given
}

// derivedStatus is the status of a reason in the class of the reply.
func derivedStatus(status string, code int) string {
	switch {
	case status == "" && code/100 == 4:
		return "4.0.0"
	case status == "":
		return "5.0.0"
	case code/100 == 4:
		return "4" + status[1:]
	}
	return status
}

// judge decides by the words first and by the status where they say nothing: statuses are given by programs that
// did not read the words, and "5.0.0" is the most frequent.
func (c claim) judge() verdict {
	v := c.byWords(c.words)
	switch {
	case c.status == "4.1.1" && v.status == "5.1.1":
		return v // tried for days, and always told the same
	case strings.HasPrefix(c.status, "4"), c.status == "" && c.code/100 == 4:
		return verdict{known: true, status: v.status}
	case v.known && !(v.status == "5.7.1" && c.code == 0 && hardStatus(c.status)):
		return v // but a footer about viruses is no reason next to a status
	case c.code == 556, c.code == 521 && c.status == "5.3.2": // RFC 7504: the host or domain takes no mail
		return verdict{known: true, hard: true, status: "5.1.2"}
	case isVague(c.status):
		return verdict{}
	}
	return verdict{known: true, hard: hardStatus(c.status), status: c.status}
}

// byWords looks for the reason in words of lower case.
func (c claim) byWords(words string) verdict {
	words = withoutAddresses(words)
	r, ok := reasonIn(words)
	if !ok {
		if r, ok = reasonIn(withoutWord(words, c.local)); !ok {
			return verdict{}
		}
	}
	hard := r.hard
	switch {
	case r.weak:
		hard = c.aboutAddress()
	case r.unless:
		hard = !c.mailboxExists()
	}
	return verdict{known: true, hard: hard, status: r.status}
}

// mailboxExists says whether the status contradicts "user unknown": 5.7 is about a policy, and 5.2 about a mailbox that
// there is, unless it is the recipient that was refused.
//
// QUIRK: filters and the mail systems of Japanese carriers accept the recipient, look at the message and then say
// "user unknown" to it, some of them with such a status.
func (c claim) mailboxExists() bool {
	return strings.HasPrefix(c.status, "5.7.") ||
		strings.HasPrefix(c.status, "5.2.") && c.code != 0 && c.command != cmdRcpt
}

// aboutAddress says whether words that have other meanings, too, are about the recipient. Without a code of SMTP it is
// the reporting system itself that knows.
func (c claim) aboutAddress() bool {
	switch {
	case strings.HasPrefix(c.status[min(1, len(c.status)):], ".1."), c.status == "5.4.1", hardStatus(c.status):
		return true
	case strings.HasPrefix(c.status, "5.7."):
		return false
	case c.code == 0, c.command == cmdRcpt:
		return true
	}
	return c.command == cmdAny && isVague(c.status) && namesAddress(c.words)
}

// namesAddress says whether a reply is worded as Postfix refuses a RCPT: "550 <a@example.com>: User unknown".
func namesAddress(words string) bool {
	p, ok := nextAddress(words, 0)
	return ok && inBrackets(words, p.start, p.end) && strings.HasPrefix(words[p.end+1:], ":")
}

// hardStatus says whether a status (RFC 3463, and those that Microsoft has added) is about an address that will
// never be good.
func hardStatus(status string) bool {
	switch status {
	case "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.1.351", "5.4.4", "5.4.310":
		return true
	}
	return false
}

// remoteWords removes what a gateway says in its own words before those of the server.
//
// QUIRK: IronPort writes "5.1.0 - Unknown address error 550-'5.2.2 mailbox full'" whatever it was.
func remoteWords(words string) string {
	st := statusCode(words)
	if st == "" || !strings.HasPrefix(words[len(st):], " - ") {
		return words
	}
	rest := words[len(st):]
	if r := findReply(rest); r.code != 0 {
		return rest[r.start:]
	}
	return words
}

// withoutAddresses removes the addresses from words: "User <a@example.com> unknown" is "User unknown", and what an
// address is made of is no reason.
func withoutAddresses(words string) string {
	p, ok := nextAddress(words, 0)
	if !ok {
		return words
	}
	var b strings.Builder
	from := 0
	for ; ok; p, ok = nextAddress(words, p.end) {
		b.WriteString(strings.TrimRight(words[from:p.start], " <\"'(["))
		from = p.end
		for from < len(words) && strings.IndexByte(">\"')]", words[from]) >= 0 {
			from++
		}
	}
	b.WriteString(words[from:])
	return b.String()
}

// withoutWord removes a word of words: "Mailbox jo not found" is "Mailbox not found".
func withoutWord(words, word string) string {
	if word == "" || !strings.Contains(lower(words), lower(word)) {
		return ""
	}
	var b strings.Builder
	for w := range strings.FieldsSeq(words) {
		if !strings.EqualFold(strings.Trim(w, "<>\"'()[],;:."), word) {
			b.WriteByte(' ')
			b.WriteString(w)
		}
	}
	return b.String()
}
