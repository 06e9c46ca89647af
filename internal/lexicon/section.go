package lexicon

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// Section says how a section of the word files is read by the package that it is for.
type Section struct {
	Name  string         // of the section
	Means map[string]Set // what each list stands for; lists that are not here are left out

	// Fold appends a phrase in the form in which it is found in text. Nil is the package's own Fold.
	Fold func(dst []byte, phrase string) []byte
	// Joined are meanings whose phrases are also found in Hebrew and Arabic behind what is written onto a word: an
	// article, a preposition.
	Joined Set
	// DigitsEnd has a digit end a word: "code" is found in "code123".
	DigitsEnd bool
	// Languages has the table know in which languages a phrase means what it does.
	Languages bool
	// Tilde adds a phrase without its tildes to each that has some, unless it is marked as exact.
	Tilde bool
}

// phrase is one of a section, folded.
type phrase struct {
	text     string
	value    Value
	anywhere bool // may begin inside a word
	open     bool // may end inside a word
	caps     bool // only in capitals
}

// Compile makes the table of a section.
func (s *Section) Compile() *Table { return s.CompileLists(Lists(s.Name)) }

// CompileLists makes a table of other lists, such as names.
func (s *Section) CompileLists(lists iter.Seq[List]) *Table {
	all := make([]phrase, 0, 4096)
	for l := range lists {
		if means, ok := s.Means[l.Name]; ok {
			all = s.add(all, l, Value{means, s.languages(l.Place)})
		}
	}
	return compile(all, s.DigitsEnd)
}

func (s *Section) languages(place int) (set LanguageSet) {
	if s.Languages {
		set = languageSet(place)
	}
	return set
}

// add appends the phrases of a list.
func (s *Section) add(all []phrase, l List, v Value) []phrase {
	var room [200]byte
	for text := range l.All {
		p, exact := s.parse(text, room[:0])
		if p.text == "" {
			continue
		}
		p.value = v
		p.anywhere = p.anywhere || s.joins(p.text, v.Means)
		all = append(all, p)
		if s.Tilde && !exact && strings.Contains(p.text, "ã") {
			p.text = strings.ReplaceAll(p.text, "ã", "a")
			all = append(all, p)
		}
	}
	return all
}

// parse reads a phrase as the files write it.
func (s *Section) parse(text string, room []byte) (p phrase, exact bool) {
	text, p.caps = strings.CutPrefix(text, "=")
	text, exact = strings.CutPrefix(text, "^")
	text, p.anywhere = strings.CutPrefix(text, "*")
	text, p.open = strings.CutSuffix(text, "*")
	fold := s.Fold
	if fold == nil {
		fold = Fold
	}
	p.text = string(bytes.TrimSpace(fold(room, text)))
	first, _ := utf8.DecodeRuneInString(p.text)
	last, _ := utf8.DecodeLastRuneInString(p.text)
	p.anywhere = p.anywhere || IsUnspaced(first)
	p.open = p.open || IsUnspaced(last)
	return p, exact
}

// joins tells whether something may be written onto the first word of a phrase.
func (s *Section) joins(text string, means Set) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return means.Any(s.Joined) && isRightToLeft(first)
}
