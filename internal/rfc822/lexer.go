package rfc822

import (
	"slices"
	"strings"
)

// lexer finds where the comments and encoded words of a text end. It looks through the text once, however many of them
// are begun and never ended: a search for each would cost a thousand times the bytes of the text.
type lexer struct {
	s        string
	opens    []int32 // parentheses that open, in order; nil: not looked for yet
	closes   []int32 // after the one that closes each; 0: none does, near enough
	wordEnds []int32 // "?=", in order; nil: not looked for yet
}

// maxComment bounds a comment and a quoted string: what opens and is closed only far away is text.
const maxComment = 1024

// commentEnd is the length of the comment that begins at i, 0 where it does not end.
func (l *lexer) commentEnd(i int) int {
	if l.opens == nil {
		l.findComments()
	}
	n, ok := slices.BinarySearch(l.opens, int32(i))
	if !ok || l.closes[n] == 0 {
		return 0
	}
	return int(l.closes[n]) - i
}

func (l *lexer) findComments() {
	n := strings.Count(l.s, "(")
	room := make([]int32, 3*n)
	l.opens, l.closes = room[:0:n], room[n:n:2*n]
	open := room[2*n : 2*n] // numbers of those that wait for their end
	for i := 0; i < len(l.s); i++ {
		switch l.s[i] {
		case '\\':
			i++
		case '(':
			open = append(open, int32(len(l.opens)))
			l.opens, l.closes = append(l.opens, int32(i)), append(l.closes, 0)
		case ')':
			if len(open) == 0 {
				continue
			}
			n := open[len(open)-1]
			open = open[:len(open)-1]
			if i-int(l.opens[n]) < maxComment {
				l.closes[n] = int32(i + 1)
			}
		}
	}
}

// wordEnd is where the first "?=" at or after i is, or -1.
func (l *lexer) wordEnd(i int) int {
	if l.wordEnds == nil {
		l.wordEnds = make([]int32, 0, strings.Count(l.s, "?="))
		for at := 0; ; at++ {
			n := strings.Index(l.s[at:], "?=")
			if n < 0 {
				break
			}
			at += n
			l.wordEnds = append(l.wordEnds, int32(at))
		}
	}
	n, _ := slices.BinarySearch(l.wordEnds, int32(i))
	if n == len(l.wordEnds) {
		return -1
	}
	return int(l.wordEnds[n])
}
