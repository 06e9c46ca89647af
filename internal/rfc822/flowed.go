package rfc822

import "strings"

// unflow joins the lines of format=flowed text into paragraphs (RFC 3676): a line that ends with a space goes
// on in the next one of the same quote depth. delSp says that this space is not part of the text.
func unflow(s string, delSp bool) string {
	var out strings.Builder
	out.Grow(len(s))
	open, openDepth := false, 0 // a paragraph waits for its next line
	for len(s) > 0 {
		line, rest, ended := strings.Cut(s, "\n")
		s = rest
		depth := quoteDepth(line)
		text := strings.TrimPrefix(line[depth:], " ") // 4.4: space-stuffing
		signature := text == "-- "                    // 4.3: never flowed
		if open && (depth != openDepth || signature) {
			out.WriteByte('\n')
			open = false
		}
		if !open && depth > 0 {
			out.WriteString(line[:depth])
			if text != "" {
				out.WriteByte(' ')
			}
		}
		flows := strings.HasSuffix(text, " ") && !signature && ended
		if flows && delSp {
			text = text[:len(text)-1]
		}
		out.WriteString(text)
		if !flows && ended {
			out.WriteByte('\n')
		}
		open, openDepth = flows, depth
	}
	return out.String()
}

// quoteDepth counts the quote marks a line begins with.
func quoteDepth(line string) int {
	n := 0
	for n < len(line) && line[n] == '>' {
		n++
	}
	return n
}
