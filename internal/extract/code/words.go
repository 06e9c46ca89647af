package code

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// kind is what a phrase says about the numbers around it.
type kind uint8

const (
	kindNeutral kind = iota // nothing; it is listed so that a shorter phrase in it does not count
	kindOTP                 // names a verification code and nothing else
	kindCode                // names a code of some sort
	kindSecret              // names something secret that may be a code: password, token
	kindYours               // says whose a code is
	kindPurpose             // what a code is for: verify, sign in, access
	kindCue                 // bids to use what follows: enter, use, below
	kindWarn                // bids not to pass the code on
	kindIntent              // what such mail says besides: expires, if it was not you
	kindOther               // names another number: order, phone, postcode, promo code
	kindOff                 // tells that the mail is about something else: trip, sale, meeting
	kindRefer               // asks to bring friends in, who use a code for it
	kindPaper               // names in a subject what the mail is: a receipt, an invoice
	kindUnit                // follows a number that counts something: minutes, euros, people
	kindDone                // says that something was done, which a number after it is of: confirmed, registered
	kindIt                  // besides, leaves open which number it means: the number, enter it
	kindThing               // may have a code of its own, and matters only next to a word for a code: door, game
)

// kindNames are the names of the kinds in the word files.
var kindNames = map[string]kind{
	"neutral": kindNeutral, "otp": kindOTP, "code": kindCode, "secret": kindSecret, "yours": kindYours,
	"purpose": kindPurpose, "cue": kindCue, "warn": kindWarn, "intent": kindIntent, "other": kindOther, "off": kindOff,
	"refer": kindRefer,
	"paper": kindPaper, "unit": kindUnit, "done": kindDone, "it": kindIt,
	"thing": kindThing,
}

// section is how the phrases of the word files are read here. Those that name a code are found in Hebrew and Arabic
// after articles too.
func section() *lexicon.Section {
	s := &lexicon.Section{
		Name: "code", Means: map[string]lexicon.Set{}, Fold: appendPhrase, DigitsEnd: true, Tilde: true,
		Joined: lexicon.Set(setOf(kindOTP, kindCode, kindPurpose)),
	}
	for name, k := range kindNames {
		s.Means[name] = lexicon.Set(setOf(k))
	}
	return s
}

// besideCodes finds the list "beside": words of Latin letters that stand beside a word for a code and do not say what
// it is of (new, personal, this), and prepositions that lead away from it (enter the code on the device).
var besideCodes = sync.OnceValue(func() *lexicon.Table {
	return (&lexicon.Section{Name: "code", Means: map[string]lexicon.Set{"beside": 1}}).Compile()
})
