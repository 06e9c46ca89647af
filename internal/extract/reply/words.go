package reply

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What words can mean here.
const (
	fieldFrom    lexicon.Set = 1 << iota // the name of a header field as clients translate it; "a" is From and To
	fieldDate                            //
	fieldTo                              //
	fieldSubject                         //
	fieldOther                           //
	wrote                                // somebody wrote something: the last word of the verb
	opener                               // begins an attribution
	separator                            // between lines of dashes above the message that is answered or passed on
	sent                                 // begins a line that a device or a program adds
	sentWithin                           // is in the first word of one
	sentEnd                              // ends one
	notice                               // of legal notices: several in the last paragraph are one
	noticeTitle                          // stands above a legal notice
	warning                              // begins what gateways put above mail from outside
	signOff                              // ends a letter; what stands below it is a name
	phoneLabel                           // stands before a phone number on a card
	afterthought                         // begins what people add below their signature

	anyField = fieldFrom | fieldDate | fieldTo | fieldSubject | fieldOther
)

// What parts of words can mean as well. They are asked for less often, and take longer to find.
const (
	aboveLine   lexicon.Set = 1 << iota // what help desks ask for in a line above their mail
	device                              // names a device, or a program that puts lines below a mail
	excuse                              // what people ask to be excused for below such a line
	footer                              // of footers: enough alone
	fromOutside                         // what gateways speak of: where the mail comes from
	dangers                             // and what not to do with it
)

// words is the table of words. It is made at the first use.
var words = sync.OnceValue(func() *lexicon.Table {
	parts() // so that no later mail waits for it
	return table(map[string]lexicon.Set{
		"from": fieldFrom, "date": fieldDate, "to": fieldTo, "subject": fieldSubject, "field": fieldOther,
		"wrote":  wrote,
		"opener": opener, "original": separator, "forwarded": separator, "earlier": separator, "sent": sent,
		"sentIn": sentWithin, "sentEnd": sentEnd, "notice": notice, "noticeTitle": noticeTitle, "warning": warning,
		"signOff": signOff, "phone": phoneLabel,
		"afterthought": afterthought,
	})
})

// parts is the table of parts of words.
var parts = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"aboveLine": aboveLine, "device": device, "excuse": excuse, "footer": footer, "outside": fromOutside,
		"dangers": dangers,
	})
})

func table(means map[string]lexicon.Set) *lexicon.Table {
	s := lexicon.Section{Name: "reply", Means: means}
	return s.Compile()
}

// has tells whether words that mean something are in a text.
func has(text string, means lexicon.Set) bool { return words().In(text).Any(means) }

// hasPart tells the same of parts of words.
func hasPart(text string, means lexicon.Set) bool { return parts().In(text).Any(means) }

// is tells whether a text is such words and nothing else.
func is(text string, means lexicon.Set) bool { return words().Whole(text).Any(means) }

// lower is s in lower case. Most is ASCII and short.
func lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// firstWord is the letters s begins with, after anything that is none.
func firstWord(s string) string {
	from := strings.IndexFunc(s, unicode.IsLetter)
	if from < 0 {
		return ""
	}
	return s[from : from+wordLength(s[from:])]
}

// wordLength is how many bytes of letters and marks s begins with.
func wordLength(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c|0x20 < 'a' || c|0x20 > 'z' {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return i
		}
		i += n
	}
	return len(s)
}
