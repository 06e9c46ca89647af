package test

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"strings"
)

// traced is a system call: one line, or two, of a log of strace -f -y. It lasts from line begin to line end.
type traced struct {
	name, args string
	file       string // what the first argument's descriptor is open on
	begin, end int    // end is past everything for a call that never returned
	ok         bool   // it returned, and not -1
}

var (
	tracedLine    = regexp.MustCompile(`^(\d+) +(\w+)\((.*)$`)
	tracedResumed = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)$`)
	tracedFile    = regexp.MustCompile(`^\d+<([^>]*)>`)
	tracedResult  = regexp.MustCompile(`\) += (-?\d+)[^()"]*(?:\([^()"]*\))?$`)
)

const unfinished = " <unfinished ...>"

// parseTrace reads a log in the order in which the calls began.
func parseTrace(log string) []*traced {
	var calls []*traced
	open := map[string]*traced{} // by thread
	for n, line := range strings.Split(log, "\n") {
		if m := tracedResumed.FindStringSubmatch(line); m != nil {
			if c := open[m[1]]; c != nil && c.name == m[2] {
				c.finish(n, m[3])
				delete(open, m[1])
			}
			continue
		}
		m := tracedLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		c := &traced{name: m[2], begin: n, end: math.MaxInt, args: m[3]}
		if file := tracedFile.FindStringSubmatch(c.args); file != nil {
			c.file = strings.TrimSuffix(file[1], " (deleted)")
		}
		calls = append(calls, c)
		if args, more := strings.CutSuffix(c.args, unfinished); more {
			c.args = args
			open[m[1]] = c
			continue
		}
		c.finish(n, c.args)
	}
	return calls
}

func (c *traced) finish(line int, rest string) {
	if m := tracedResult.FindStringSubmatch(rest); m != nil {
		c.end, c.ok = line, !strings.HasPrefix(m[1], "-")
	}
}

// bytes is the string that the call wrote.
func (c *traced) bytes() []byte {
	_, text, _ := strings.Cut(c.args, `"`)
	var out []byte
	for i := 0; i < len(text) && text[i] != '"'; i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		if at := strings.IndexByte(`ntrfv"\`, text[i]); at >= 0 {
			out = append(out, "\n\t\r\f\v\"\\"[at])
			continue
		}
		value := 0 // one to three octal digits
		for n := 0; n < 3 && i < len(text) && text[i] >= '0' && text[i] <= '7'; n++ {
			value = 8*value + int(text[i]-'0')
			i++
		}
		i--
		out = append(out, byte(value))
	}
	return out
}

func (c *traced) syncs() bool { return (c.name == "fsync" || c.name == "fdatasync") && c.ok }

// promise is something that the server has answered with success.
type promise struct {
	what   string
	marker string // text that its transaction writes, and nothing before it; empty: anything
	answer string // how the answer begins
	blob   bool   // the message is in a file of its own
}

// checkSyncs reads in a log whether everything promised was on the disk when it was answered. The promises are in the
// order of their answers. It returns what is wrong.
func checkSyncs(log string, promises []promise) (wrong []string) {
	calls := parseTrace(log)
	after := 0 // the line of the answer before
	for _, p := range promises {
		answer := findAnswer(calls, after, p.answer)
		if answer == nil {
			return append(wrong, p.what+": no answer "+p.answer)
		}
		if err := checkSync(calls, p, after, answer.begin); err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", p.what, err))
		}
		after = answer.begin
	}
	return wrong
}

func findAnswer(calls []*traced, after int, text string) *traced {
	for _, c := range calls {
		if c.begin > after && strings.HasPrefix(c.file, "socket:") && strings.HasPrefix(string(c.bytes()), text) {
			return c
		}
	}
	return nil
}

// checkSync looks at what happened between two lines.
func checkSync(calls []*traced, p promise, after, answer int) error {
	first, commit := findCommit(calls, p.marker, after)
	if commit == nil || commit.end > answer {
		return fmt.Errorf("the answer came before the transaction was written")
	}
	synced := func(file string, from, to int) *traced {
		for _, c := range calls {
			if c.syncs() && c.file == file && c.begin > from && c.end < to {
				return c
			}
		}
		return nil
	}
	wal := synced(commit.file, commit.end, answer)
	if wal == nil {
		return fmt.Errorf("the log was not synced between the transaction and the answer")
	}
	if !p.blob {
		return nil
	}
	links := findLinks(calls, after, first.begin)
	if len(links) == 0 {
		return fmt.Errorf("the message's file was not in place before the transaction")
	}
	for _, link := range links {
		from, to := linked(link)
		if synced(from, after, link.begin) == nil {
			return fmt.Errorf("the message's bytes were not synced before its file got its name")
		}
		if synced(path.Dir(to), link.end, first.begin) == nil {
			return fmt.Errorf("the message's folder was not synced before the transaction")
		}
	}
	return nil
}

// findCommit finds the transaction that wrote the marker: its first write that has it, and the write that ends it. In
// the write-ahead log a page follows a head of 24 bytes, whose second word is not 0 at the end of a transaction. A
// write may be a head, a page, or many of both.
func findCommit(calls []*traced, marker string, after int) (first, last *traced) {
	ending := false
	for _, c := range calls {
		// The index has a log, too. It is derived, and promises nothing.
		if c.name != "pwrite64" || !strings.HasSuffix(c.file, "-wal") || strings.HasSuffix(c.file, "/index.db-wal") ||
			!c.ok {
			continue
		}
		for _, piece := range logPieces(c.bytes()) {
			if len(piece) == logHead {
				ending = string(piece[4:8]) != "\x00\x00\x00\x00"
				continue
			}
			if first == nil && c.begin > after && strings.Contains(string(piece), marker) {
				first = c
			}
			if first != nil && ending {
				return first, c
			}
		}
	}
	return first, nil
}

const (
	logStart = 32 // the head of the whole log
	logHead  = 24 // the head of a page
	logPage  = 2048
)

// logPieces cuts what one call wrote to the log into heads and pages.
func logPieces(b []byte) (pieces [][]byte) {
	if len(b)%(logHead+logPage) == logStart {
		b = b[logStart:]
	}
	for len(b) >= logHead+logPage {
		pieces = append(pieces, b[:logHead], b[logHead:logHead+logPage])
		b = b[logHead+logPage:]
	}
	if len(b) > 0 {
		pieces = append(pieces, b)
	}
	return pieces
}

// findLinks finds the names that a message's file got between two lines: one for each recipient.
func findLinks(calls []*traced, after, before int) (links []*traced) {
	for _, c := range calls {
		if c.name == "linkat" && c.ok && c.begin > after && c.end < before {
			links = append(links, c)
		}
	}
	return links
}

var tracedPaths = regexp.MustCompile(`"([^"]*)"`)

// linked returns the two names of a linkat.
func linked(c *traced) (from, to string) {
	m := tracedPaths.FindAllStringSubmatch(c.args, 2)
	if len(m) < 2 {
		return "", ""
	}
	return m[0][1], m[1][1]
}
