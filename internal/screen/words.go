package screen

import (
	"slices"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What the words of a sentence can mean here.
const (
	ignore    stem.Set = 1 << iota // ignore, disregard, bypass
	prior                          // previous, above, all, your
	orders                         // instructions, prompts: what models are given
	ground                         // rules, context: what people have too
	guard                          // safety protocols, user confirmation
	voice                          // a heading that speaks as the system: "SYSTEM:", "New instructions:"
	model                          // language model, AI assistant
	addressed                      // dear AI, if you are an AI
	becomes                        // you are now, act as
	persona                        // developer mode, do anything now
	prompt                         // system prompt, your initial instructions
	reveal                         // reveal, print
	keepFrom                       // do not tell
	user                           // the user, this instruction
	quietly                        // silently, without confirmation
	send                           // send, forward, upload
	secret                         // passwords, API keys
	mails                          // all mails, the conversation
	outside                        // an address or a URL
	execute                        // execute, run, navigate to
	shell                          // curl, /etc/passwd
	decree                         // system override
	answer                         // your response
	steer                          // modify, augment: what is done to an answer
	include                        // add, mention
	content                        // a sentence, a headline
	form                           // vowels, anagrams
	must                           // you must, please: an order
	about                          // prompt injection, attackers: the sentence speaks of attacks on models
	harm                           // backdoor, malware
	only                           // just print, say only
	scrambled                      // words backwards or in rot13
)

// starts are the verbs that make an order of a sentence that begins with them.
const starts = ignore | reveal | send | execute | steer | include | only | quietly

// language is the stems of one language, parted by commas; see package stem. Verbs are in the forms of an order.
type language struct {
	name string

	ignore, prior, orders, guard       string
	model, becomes, persona            string
	prompt, reveal                     string
	keepFrom, user, quietly            string
	send, secret, mails, answer, steer string
}

// lexicon is the table of all words. It is made at the first use.
var lexicon = sync.OnceValue(func() *stem.Table {
	rows := append(slices.Clone(english), elsewhere...)
	for _, table := range [][]language{western, northern, eastern, asian} {
		for _, l := range table {
			rows = append(rows,
				stem.Row{Means: ignore, Stems: l.ignore}, stem.Row{Means: prior, Stems: l.prior},
				stem.Row{Means: orders, Stems: l.orders}, stem.Row{Means: guard, Stems: l.guard},
				stem.Row{Means: model, Stems: l.model}, stem.Row{Means: becomes, Stems: l.becomes},
				stem.Row{Means: persona, Stems: l.persona}, stem.Row{Means: prompt, Stems: l.prompt},
				stem.Row{Means: reveal | must, Stems: l.reveal}, stem.Row{Means: keepFrom, Stems: l.keepFrom},
				stem.Row{Means: user, Stems: l.user}, stem.Row{Means: quietly, Stems: l.quietly},
				stem.Row{Means: send | must, Stems: l.send}, stem.Row{Means: secret, Stems: l.secret},
				stem.Row{Means: mails, Stems: l.mails}, stem.Row{Means: answer, Stems: l.answer},
				stem.Row{Means: steer, Stems: l.steer})
		}
	}
	return stem.NewTable(rows...)
})

// each is every one of some stems with every one of others behind it.
func each(first, second string) string {
	var all []string
	for a := range strings.SplitSeq(first, ",") {
		for b := range strings.SplitSeq(second, ",") {
			all = append(all, strings.TrimSpace(a)+" "+strings.TrimSpace(b))
		}
	}
	return strings.Join(all, ",")
}
