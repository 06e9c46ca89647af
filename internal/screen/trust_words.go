package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What a mail can speak of, as far as trust goes.
const (
	urgent   lexicon.Set = 1 << iota // at once, or else
	pay                              // transfers, gift cards, changed bank details
	signIn                           // log in, confirm your account
	company                          // support, bank, accounting: in a sender's name
	windfall                         // a lottery that was won, an inheritance from nobody
	looked                           // the words were looked up
)

// trustWords is the table of these words. It is made at the first use.
var trustWords = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{"urgent": urgent, "pay": pay, "signIn": signIn, "company": company,
		"windfall": windfall})
})
