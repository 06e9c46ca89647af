// Package search is everything about finding mail by words that needs no storage: the words of a mail, the query
// language, whether a mail matches, what an index has to be asked, how well a mail fits, and which part of its text to
// show.
//
// # From mail to answer
//
//	Mail.Tokens ──► index (a store)                     Parse ──► Query
//	                    │                                           │
//	                    └──── candidates ◄──── Query.Plan ◄─────────┤
//	                              │                                 │
//	                              └──► Matcher.Match ──► Hits ──► Query.Score ──► Highlight
//
// Tokens are made here, in Go, so that every store gives the same answers. [Match] is what a query means; a [Plan] may
// only ever promise more mail than that. Mail whose index work still waits is matched from its text.
//
// # Words
//
// Text is read as NFKC, in lower case and without diacritics. So ß is ss, ﬁ is fi, １ and ١ are 1, é is e, ł is l, and
// all of I, İ and ı are i. Marks that are letters stay: vowel signs of Indic scripts, Thai vowels and tones, the breve
// of й, the voicing of が. Points of Hebrew, short vowels and tatweel of Arabic, and everything that cannot be seen are
// left out; أ is ا, ى is ي, ة is ه.
//
// A word is a run of letters, digits and marks. It has a position; the next word has the next one. Forms that stand for
// several words have the position of the first and say how many positions they cover ([Token.Span]):
//
//	in the text               words                      and, over their positions
//	e-mail, don't, foo_bar    e mail, don t, foo bar     email, dont, foobar
//	482-915, 482 915          482 915                    482915
//	1,234.56 or 1.234,56      1 234 56                   1234.56
//	U.S.A.                    u s a                      u.s.a and usa
//	report.pdf, node.js       report pdf, node js        report.pdf, node.js
//	mail.example.com          mail example com           mail.example.com, example.com
//	kim.lee@example.com       kim lee example com        kim.lee@example.com, kim.lee, example.com
//	https://example.com/a-b   https example com a b      example.com, ab
//
// Han, kana and Hangul: every character is a word, and so is every pair of neighbours (at the position of its first). ー
// is kana. A single line break does not part Han or kana, which mail wraps anywhere. Thai, Lao, Khmer, Burmese and
// their relatives: the same, with a letter and its marks as the character. An emoji is a word; a flag is a pair.
//
// A form longer than [MaxText] bytes is cut, and the cut made unique by a digest of the whole. How much of a mail is
// read is bounded for each field ([Field.Limit]).
package search

// Field is a part of a mail that words are in.
type Field uint8

const (
	Subject  Field = iota
	From           // the sender's name and address
	To             // all recipients, by name and address
	Body           // the text
	File           // names of attachments
	FileText       // text of attachments

	Fields = int(FileText) + 1
)

// Mask is a set of fields.
type Mask uint8

const (
	AllFields Mask = 1<<Fields - 1

	// MailFields are all but what is inside of attachments.
	MailFields = AllFields &^ (1 << FileText)

	// PrefixFields are those in which a word that is still being typed finds longer ones.
	PrefixFields = Mask(1<<Subject | 1<<From | 1<<To | 1<<File)
)

// Mask is the set of this field alone.
func (f Field) Mask() Mask { return 1 << f }

// Has tells whether the field is in it.
func (m Mask) Has(f Field) bool { return m&f.Mask() != 0 }

func (f Field) String() string {
	if int(f) < len(fieldNames) {
		return fieldNames[f]
	}
	return "unknown"
}

var fieldNames = [...]string{"subject", "from", "to", "body", "filename", "filetext"}

// Limit is how much of a field is read, over all its values: tokens made and bytes read.
func (f Field) Limit() (tokens, bytes int) {
	switch f {
	case Subject:
		return 1_000, 16 << 10
	case From, File:
		return 2_000, 64 << 10
	case To:
		return 8_000, 256 << 10
	}
	return 100_000, 1 << 20
}

// MaxText is the longest a token's text can be, in bytes.
const MaxText = 64

// Token is a word of a mail, or a form that stands for some.
type Token struct {
	// folded, at most MaxText bytes, valid UTF-8. It may be a part of the text it was made from, and keep that in
	// memory.
	Text  string
	Pos   uint32 // in the field
	Span  uint16 // how many positions it covers
	Field Field
}
