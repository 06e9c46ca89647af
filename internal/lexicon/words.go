package lexicon

import (
	"bytes"
	"embed"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
)

//go:embed words/*.txt
var files embed.FS

// Sections are those that a language has when nothing is missing.
var Sections = []string{"code", "link", "label", "record", "reply", "report", "screen"}

// Shared is the name of the file of what is the same in every language.
const Shared = "shared"

// List is the phrases of one language that mean one thing to one reader of mail.
type List struct {
	Language string // as in ISO 639, or Shared
	Name     string
	Phrases  string // parted by commas
}

// All goes through the phrases.
func (l List) All(yield func(string) bool) {
	for p := range strings.SplitSeq(l.Phrases, ",") {
		if p = strings.TrimSpace(p); p != "" && !yield(p) {
			return
		}
	}
}

// Languages are the names of all files but the shared one, in the order of the alphabet.
func Languages() []string {
	var names []string
	for _, name := range fileNames() {
		if name != Shared {
			names = append(names, name)
		}
	}
	return names
}

// fileNames are the names of all files, in the order of the alphabet.
var fileNames = sync.OnceValue(func() []string {
	entries, err := fs.ReadDir(files, "words")
	if err != nil {
		panic(err) // they are part of the program
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".txt")
	}
	return names
})

// Lists goes through the lists of a section, one language after the other.
func Lists(section string) iter.Seq[List] {
	return func(yield func(List) bool) {
		var r reader
		for _, language := range fileNames() {
			for name, phrases := range sectionOf(r.read(language), section) {
				if !yield(List{Language: language, Name: name, Phrases: phrases}) {
					return
				}
			}
		}
	}
}

// reader reads the files one after the other into the same room.
type reader struct{ room []byte }

func (r *reader) read(language string) []byte {
	f, err := files.Open("words/" + language + ".txt")
	if err != nil {
		panic(err) // they are part of the program
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		panic(err)
	}
	r.room = slices.Grow(r.room[:0], int(info.Size()))[:info.Size()]
	if _, err := io.ReadFull(f, r.room); err != nil {
		panic(err)
	}
	return r.room
}

// sectionOf goes through the lists of a section of a file. A list is a line with its name and a colon; it goes on in
// lines that begin with a space. Lines that begin with # are comments.
func sectionOf(file []byte, section string) iter.Seq2[string, string] {
	return func(yield func(name, phrases string) bool) {
		_, file, _ = bytes.Cut(file, []byte("\n["+section+"]\n"))
		file, _, _ = bytes.Cut(file, []byte("\n["))
		for text := string(file); text != ""; {
			var list string
			list, text = cutList(text)
			name, phrases, ok := strings.Cut(list, ":")
			if ok && name[0] != '#' && !yield(name, phrases) {
				return
			}
		}
	}
}

// cutList cuts the first list off a section: it ends before a line that does not begin with a space.
func cutList(text string) (list, rest string) {
	for i := 0; ; i++ {
		end := strings.IndexByte(text[i:], '\n')
		if end < 0 {
			return text, ""
		}
		if i += end; i+1 == len(text) || text[i+1] != ' ' {
			return text[:i], text[i+1:]
		}
	}
}
