package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What people say to each other that sounds like an instruction to a model. It is looked up only in sentences to which
// a rule applies.
const (
	corrects  lexicon.Set = 1 << iota // my previous mail, the delivery instructions
	terms                             // you may not, unsubscribe: contracts, and what stands below mails
	colleague                         // teaching assistants, sales agents: people with the name of a helper
	firm                              // you must, please: words that are an order wherever they stand
)

// spoken is the table of it.
var spoken = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{"corrects": corrects, "terms": terms, "firm": firm, "staff": colleague})
})

// amongPeople tells of a sentence that people say to each other, from what is spoken in it. Terms count only where
// nobody speaks to a model: an order to one may well say "never" and "strictly".
func amongPeople(text string, said, means lexicon.Set) bool {
	if said.Any(corrects) {
		return true
	}
	return said.Any(terms) && !means.Any(addressed|voice|model|prompt) && !setsAside(text)
}
