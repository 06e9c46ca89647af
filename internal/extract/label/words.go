package label

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What the words of a subject or a text can mean here.
const (
	failure    lexicon.Set = 1 << iota // a mail could not be delivered
	success                            // it was
	done                               // the same, as the first word of a subject
	automatic                          // automatic reply
	away                               // out of the office
	replies                            // Re:, Fwd:
	trade                              // order, receipt, invoice, shipment, booking
	alert                              // sign-in, password, security
	unanswered                         // do not reply; sent automatically
	leave                              // unsubscribe
	advert                             // what only advertising says
	machine                            // what only programs say, in a subject
	tracker                            // what has entries with numbers: bug, ticket
	seen                               // the text was looked at
)

// subjects is the table of all words. It is made at the first use.
var subjects = sync.OnceValue(func() *lexicon.Table {
	texts() // so that no later mail waits for it
	return table(map[string]lexicon.Set{
		"failure": failure, "success": success, "automatic": automatic, "away": away, "unanswered": unanswered,
		"leave": leave,
		"done":  done, "replies": replies, "trade": trade, "alert": alert, "advert": advert, "machine": machine,
		"tracker": tracker,
	})
})

// texts is the table of what is looked for in a text. What is left out is asked of subjects alone, and is what texts
// have most.
var texts = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"failure": failure, "success": success, "automatic": automatic, "away": away, "unanswered": unanswered,
		"leave": leave, "advert": advert,
	})
})

func table(means map[string]lexicon.Set) *lexicon.Table {
	s := lexicon.Section{Name: "label", Means: means, Joined: ^lexicon.Set(0)}
	return s.Compile()
}
