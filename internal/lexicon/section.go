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
	// Joined are meanings whose phrases are also found in Hebrew and Arabic after what is written onto a word: an
	// article, a preposition.
	Joined Set
	// DigitsEnd has a digit end a word: "code" is found in "code123".
	DigitsEnd bool
	// Languages has the table know in which languages a phrase means what it does. There can be MaxLanguages of them.
	Languages bool
	// Tilde adds a phrase without its tildes to each that has some, unless it is marked as exact.
	Tilde bool
}

// Phrase is one of a section.
type Phrase struct {
	Text     string // folded
	Value    Value
	Anywhere bool // may begin inside a word
	Open     bool // may end inside a word
	Caps     bool // only in capitals
}

// Compile makes the table of a section.
func (s *Section) Compile() *Table { return s.CompileLists(Lists(s.Name)) }

// CompileLists makes a table of other lists, such as names.
func (s *Section) CompileLists(lists iter.Seq[List]) *Table {
	phrases, languages := s.phrases(lists)
	t := Compile(phrases, s.DigitsEnd)
	t.languages = languages
	return t
}

// Phrases are those of all languages.
func (s *Section) Phrases() []Phrase {
	phrases, _ := s.phrases(Lists(s.Name))
	return phrases
}

func (s *Section) phrases(lists iter.Seq[List]) (all []Phrase, languages []string) {
	all = make([]Phrase, 0, 4096)
	for l := range lists {
		means, ok := s.Means[l.Name]
		if !ok {
			continue
		}
		v := Value{Means: means}
		if s.Languages {
			if n := len(languages); n == 0 || languages[n-1] != l.Language {
				languages = append(languages, l.Language)
			}
			v.Languages = 1 << (len(languages) - 1)
		}
		all = s.add(all, l, v)
	}
	if len(languages) > MaxLanguages {
		panic("lexicon: a LanguageSet has no room for all languages of " + s.Name)
	}
	return all, languages
}

// add appends the phrases of a list.
func (s *Section) add(all []Phrase, l List, v Value) []Phrase {
	var room [200]byte
	for text := range l.All {
		p, exact := s.parse(text, room[:0])
		if p.Text == "" {
			continue
		}
		p.Value = v
		p.Anywhere = p.Anywhere || s.joins(p.Text, v.Means)
		all = append(all, p)
		if s.Tilde && !exact && strings.Contains(p.Text, "ã") {
			p.Text = strings.ReplaceAll(p.Text, "ã", "a")
			all = append(all, p)
		}
	}
	return all
}

// parse reads a phrase as the files write it.
func (s *Section) parse(text string, room []byte) (p Phrase, exact bool) {
	text, p.Caps = strings.CutPrefix(text, "=")
	text, exact = strings.CutPrefix(text, "^")
	text, p.Anywhere = strings.CutPrefix(text, "*")
	text, p.Open = strings.CutSuffix(text, "*")
	fold := s.Fold
	if fold == nil {
		fold = Fold
	}
	p.Text = string(bytes.TrimSpace(fold(room, text)))
	first, _ := utf8.DecodeRuneInString(p.Text)
	last, _ := utf8.DecodeLastRuneInString(p.Text)
	p.Anywhere = p.Anywhere || IsUnspaced(first)
	p.Open = p.Open || IsUnspaced(last)
	return p, exact
}

// joins tells whether something may be written onto the first word of a phrase.
func (s *Section) joins(text string, means Set) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return means.Any(s.Joined) && isRightToLeft(first)
}
