package mcpserver

import (
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/client"
)

// argument is something that a tool can be told. A model sees its schema; what it then sends is taken in any form whose
// meaning is clear (read.go).
type argument struct {
	name   string
	kind   kind
	about  string
	needed bool
	among  []string // the words that a text is one of; the first is the default unless the argument is open
	open   bool     // nothing is taken in its place
	least  int      // of a number
	most   int
	usual  int      // of a number that is not given
	also   []string // other names that it is taken by, besides those of the same letters
	plain  bool     // its words hold neither spaces nor commas, so that a text can be a list
	long   bool     // a text of any length
	hidden bool     // programs of older servers send it: it is taken, and not shown
}

type kind uint8

const (
	word    kind = iota // a text
	whole               // a whole number
	flag                // yes or no
	moment              // a time
	words               // one text or a list of them
	several             // the same, and its schema says that one is enough
	files               // things to attach
)

// arguments are those of a tool, in the order in which they are shown.
type arguments []argument

// named finds an argument by its name or by another that it is taken by.
func (list arguments) named(name string) (argument, bool) {
	for _, exact := range []bool{true, false} {
		for _, a := range list {
			if a.name == name || slices.Contains(a.also, name) || !exact && letters(a.name) == letters(name) {
				return a, true
			}
		}
	}
	return argument{}, false
}

// letters is a name as it is compared: maxChars, max-chars and max_chars are one.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// shown are the names that a model is told.
func (list arguments) shown() []string {
	var names []string
	for _, a := range list {
		if !a.hidden {
			names = append(names, a.name)
		}
	}
	return names
}

// args are the arguments of a call, by their names, each of the type of its kind: string, int, bool, time.Time,
// []string or []attached. What was not given and has no default is not there.
type args map[string]any

// attached is a file of a message that is to be sent.
type attached struct{ name, kind, contentID, content string }

func (a args) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a args) is(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// choice is a flag that may be left open.
func (a args) choice(name string) *bool {
	if b, ok := a[name].(bool); ok {
		return &b
	}
	return nil
}

func (a args) number(name string) int {
	n, _ := a[name].(int)
	return n
}

func (a args) words(name string) []string {
	list, _ := a[name].([]string)
	return list
}

// moment is a time; zero: none was given.
func (a args) moment(name string) time.Time {
	at, _ := a[name].(time.Time)
	return at
}

// page is which part of a list is asked for.
func (a args) page() client.Page {
	return client.Page{Limit: a.number("limit"), Cursor: a.text("cursor")}
}

// seconds is how long to wait.
func (a args) seconds() time.Duration { return time.Duration(a.number("timeout")) * time.Second }

// budget is how many characters of mail a result may have.
func (a args) budget() int {
	if n := a.number("max_chars"); n > 0 {
		return max(n, leastBudget)
	}
	return defaultBudget
}
