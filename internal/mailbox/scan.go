package mailbox

import (
	"strconv"
	"strings"
)

// Verdicts of a spam and virus scanner.
const (
	ScanClean     = "clean"
	ScanSpam      = "spam"
	ScanVirus     = "virus"
	ScanUnscanned = "unscanned" // the scanner could not be asked, or the message is too large for it
)

// ScanReject is the action of a scanner that wants a message refused, and not only marked.
const ScanReject = "reject"

// Scan is what a spam and virus scanner and the DNS block lists say about a message.
type Scan struct {
	Verdict         string // empty: no scanner is asked
	Action          string // in the scanner's own words
	Score, Required float64
	Symbols         []ScanSymbol // the rules that matched, the weightiest first
	Blocklists      []string     // zones that list the client's address
}

// ScanSymbol is a rule of a scanner that matched.
type ScanSymbol struct {
	Name  string
	Score float64
}

// IsZero tells whether nothing was asked, or nothing found by block lists alone.
func (s Scan) IsZero() bool { return s.Verdict == "" && len(s.Blocklists) == 0 }

// Labels are those that a message gets for it.
func (s Scan) Labels() (list []string) {
	switch s.Verdict {
	case ScanSpam:
		list = append(list, LabelSpam)
	case ScanVirus:
		list = append(list, LabelVirus)
	case ScanUnscanned:
		list = append(list, LabelUnscanned)
	}
	if len(s.Blocklists) > 0 {
		list = append(list, LabelBlocklisted)
	}
	return list
}

// scanMark begins the line of a scan in an encoded verdict. No reason begins so.
const scanMark = "\tscan\t"

// encode returns a scan as one line.
func (s Scan) encode() string {
	fields := []string{s.Verdict, s.Action, number(s.Score), number(s.Required), strings.Join(s.Blocklists, " ")}
	for _, y := range s.Symbols {
		fields = append(fields, y.Name+" "+number(y.Score))
	}
	return scanMark + strings.Join(fields, "\t")
}

// decodeScan reads what encode wrote, without its mark.
func decodeScan(line string) (s Scan) {
	fields := strings.Split(line, "\t")
	if len(fields) < 5 {
		return s
	}
	s.Verdict, s.Action, s.Blocklists = fields[0], fields[1], strings.Fields(fields[4])
	s.Score, _ = strconv.ParseFloat(fields[2], 64)
	s.Required, _ = strconv.ParseFloat(fields[3], 64)
	for _, f := range fields[5:] {
		name, score, _ := strings.Cut(f, " ")
		n, _ := strconv.ParseFloat(score, 64)
		s.Symbols = append(s.Symbols, ScanSymbol{Name: name, Score: n})
	}
	return s
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }
