package report

import "strings"

// mention is a place in a text for people where a recipient may be named.
type mention struct {
	address    string
	final      string // what the address was expanded to, where that is what the text names; "" else
	rank       int    // 0 is the surest
	indent     int
	start      int // of the line
	end        int // of the address
	transcript bool
}

const (
	rankLine     = iota // a line begins with the address
	rankLabel           // "Recipient address: a@example.com"
	rankSentence        // somewhere in a sentence
	rankTo              // "To: a@example.com": a field of the original
	ranks
)

// narrative is a text for people and where it names recipients, in order.
type narrative struct {
	said     string
	mentions []mention
}

const (
	maxMentions = 4 * maxRecipients
	maxSaid     = 64 << 10 // bytes of the text that are read
)

func newNarrative(said string) narrative {
	said = said[:min(len(said), maxSaid)]
	n := narrative{said: said}
	at := 0
	for line := range strings.Lines(said) {
		if strings.IndexByte(line, '@') >= 0 && len(n.mentions) < maxMentions {
			n.line(line, at)
		}
		at += len(line)
	}
	if text := lower(said); strings.Contains(text, "generated from") || strings.Contains(text, "expanded from") {
		for i := range n.mentions {
			n.unexpand(i)
		}
	}
	return n
}

// unexpand replaces the address of a mention by the one that was written to, where the text says that a list or an
// alias was expanded: "a@home.example (generated from list@example.com)".
func (n *narrative) unexpand(i int) {
	m := &n.mentions[i]
	if m.rank > rankLabel || m.transcript {
		return
	}
	_, end := n.passage(i)
	words := n.said[m.end:end]
	for _, mark := range [...]string{"generated from", "expanded from"} {
		at := strings.Index(lower(words), mark)
		if at < 0 {
			continue
		}
		from, _, _ := strings.Cut(words[at+len(mark):], ")")
		if p, ok := nextAddress(from, 0); ok {
			m.final, m.address = m.address, p.address
			return
		}
	}
}

// known is the address that was written to, for one that the text may name as what it was expanded to.
func (n narrative) known(address string) string {
	for _, m := range n.mentions {
		if m.final != "" && strings.EqualFold(m.final, address) {
			return m.address
		}
	}
	return address
}

// line adds the addresses of one line.
func (n *narrative) line(line string, at int) {
	margin := indent(line)
	low := lower(line[margin:])
	if begins(low, otherLine) {
		return
	}
	for from := 0; ; {
		p, ok := nextAddress(line, from)
		if !ok {
			return
		}
		from = p.end
		m := mention{address: p.address, rank: rankSentence, indent: margin, start: at, end: at + p.end}
		switch before := line[margin:p.start]; {
		case strings.HasPrefix(low, "to:"):
			m.rank = rankTo
		case isTranscript(before, line[p.end:]):
			m.rank, m.transcript = rankLine, true
		case isDecoration(before):
			m.rank = rankLine
		case isLabel(before):
			m.rank = rankLabel
		case isContact(p.address):
			continue
		}
		n.mentions = append(n.mentions, m)
	}
}

// isDecoration says whether what stands before an address is only brackets, quotes and bullets.
func isDecoration(before string) bool { return strings.Trim(before, "<\"'([*-•·>|+ \t") == "" }

// isTranscript knows the lines of Sendmail: "554 5.0.0 <a@example.com>... Host unknown".
func isTranscript(before, after string) bool {
	if !strings.HasPrefix(strings.TrimLeft(after, "> "), "...") || replyCode(before) == 0 {
		return false
	}
	rest := strings.Trim(before[3:], "< ")
	return rest == "" || statusCode(rest) == rest
}

// isLabel says whether what stands before an address announces it.
func isLabel(before string) bool { return strings.HasSuffix(strings.TrimRight(before, "<\"' \t"), ":") }

// isContact says whether an address is more likely one to write to for help.
func isContact(address string) bool {
	local, _, _ := strings.Cut(lower(address), "@")
	switch local {
	case "postmaster", "abuse", "support", "help", "helpdesk", "mailer-daemon", "noreply", "no-reply", "hostmaster",
		"admin":
		return true
	}
	return false
}

// recipients chooses those that the text is about: the surest there are. Addresses in not are those of the sender,
// which count only where there are no others.
func (n narrative) recipients(not []string) []string {
	for _, strict := range [...]bool{true, false} {
		for rank := range ranks {
			var out []string
			margin := 0
			for _, m := range n.mentions {
				if m.rank != rank || strict && hasAddress(not, m.address) {
					continue
				}
				if len(out) == 0 {
					margin = m.indent
				} else if rank == rankLine && m.indent > margin {
					continue // details about the one before
				}
				out = appendAddress(out, m.address)
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// about is everything that the text says about a recipient where it names it most clearly, "" where it does not.
func (n narrative) about(address string) string {
	best := mention{rank: rankTo}
	for _, m := range n.mentions {
		if strings.EqualFold(m.address, address) && (m.rank < best.rank || m.transcript && m.rank == best.rank) {
			best = m
		}
	}
	var b strings.Builder
	end := 0
	for i, m := range n.mentions {
		if m.rank != best.rank || m.transcript != best.transcript || m.start < end || !strings.EqualFold(m.address,
			address) {
			continue
		}
		if b.Len() > maxClaim {
			break
		}
		from := 0
		from, end = n.passage(i)
		b.WriteString(n.said[from:end])
		b.WriteByte('\n')
	}
	return b.String()
}

// passage is where the text speaks about the recipient of a mention: to the end of the paragraph, or where that is
// nothing, to the next recipient. A transcript says first what happened and then to whom.
func (n narrative) passage(i int) (from, end int) {
	m := n.mentions[i]
	if m.transcript {
		return n.transcript(i)
	}
	end = min(len(n.said), m.end+maxClaim)
	for _, next := range n.mentions[i+1:] {
		if next.rank == m.rank && next.indent <= m.indent && !strings.EqualFold(next.address, m.address) {
			end = min(end, max(next.start, m.end))
			break
		}
	}
	rest := n.said[m.end:end]
	if stop := strings.Index(rest, "\n\n"); stop >= 0 && hasLetters(rest[:stop]) {
		end = m.end + stop
	}
	return m.end, end
}

// transcript is the passage that ends with the line of a mention.
func (n narrative) transcript(i int) (from, end int) {
	m := n.mentions[i]
	for _, before := range n.mentions[:i] {
		if before.transcript && !strings.EqualFold(before.address, m.address) {
			from = lineEnd(n.said, before.end)
		}
	}
	end = lineEnd(n.said, m.end)
	if talk := strings.LastIndex(lower(n.said[from:end]), "while talking to"); talk >= 0 {
		from += talk
	}
	return from, end
}

// lineEnd is where the line ends that at lies in.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(s)
}
