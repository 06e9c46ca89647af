package report

import "strings"

// field is one line of a report made for programs. name is in lower case.
type field struct{ name, value string }

// group is the fields between two empty lines: those about the message, or those about one recipient.
type group []field

// get is the value of the first field of that name.
func (g group) get(name string) string {
	for _, f := range g {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// maxGroups bounds what is kept of a report: one group about the message, and those about recipients.
const maxGroups = 2*maxRecipients + 1

const (
	maxField       = 8 << 10 // bytes at which a value that goes on over many lines is cut
	maxFieldLines  = 100     // of them
	maxGroupFields = 200     // of one group; some twenty are known
)

// parseGroups reads RFC 3464 2.1.
//
// QUIRK: reports without the empty line between two groups: a field that comes a second time begins a new one.
func parseGroups(s string) []group {
	var all []group
	var g group
	lines := 0 // that the last field goes on over
	end := func() {
		if len(g) > 0 {
			all = append(all, g)
		}
		g = nil
	}
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			end()
			continue
		}
		if len(all) == maxGroups || strings.HasPrefix(line, "--") && len(all)+len(g) > 0 {
			break // QUIRK: a boundary that the MIME structure does not know: the original follows
		}
		if f, ok := parseField(line); ok {
			if startsGroup(f.name) && g.get(f.name) != "" {
				end()
			}
			if lines = maxFieldLines; len(g) < maxGroupFields {
				g, lines = append(g, f), 0
			}
		} else if n := len(g); n > 0 && lines < maxFieldLines && len(g[n-1].value) < maxField {
			g[n-1].value += " " + strings.TrimSpace(line)
			lines++
		}
	}
	end()
	return all
}

// startsGroup says whether a field is there once for each recipient.
func startsGroup(name string) bool { return name == "final-recipient" || name == "original-rcpt-to" }

// parseField reads one line that does not continue another.
func parseField(line string) (f field, ok bool) {
	colon := strings.IndexByte(line, ':')
	if colon <= 0 || colon > 64 {
		return f, false
	}
	name := strings.TrimRight(line[:colon], " \t")
	for i := range len(name) {
		if !isAlphanumeric(name[i]) && name[i] != '-' && name[i] != '_' {
			return f, false
		}
	}
	return field{name: lower(name), value: strings.TrimSpace(line[colon+1:])}, true
}

// cutType splits "rfc822; a@example.com" into its type and what follows. QUIRK: the type is left out.
func cutType(value string) (kind, rest string) {
	kind, rest, ok := strings.Cut(value, ";")
	if !ok || strings.ContainsAny(kind, " \t@<") {
		return "", value
	}
	return lower(kind), strings.TrimSpace(rest)
}
