package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What the words of a sentence can mean here.
const (
	ignore    lexicon.Set = 1 << iota // ignore, disregard, bypass
	prior                             // previous, above, all, your
	orders                            // instructions, prompts: what models are given
	ground                            // rules, context: what people have too
	guard                             // safety protocols, user confirmation
	voice                             // a heading that speaks as the system: "SYSTEM:", "New instructions:"
	model                             // language model, AI assistant
	addressed                         // dear AI, if you are an AI
	becomes                           // you are now, act as
	persona                           // developer mode, do anything now
	prompt                            // system prompt, your initial instructions
	reveal                            // reveal, print
	keepFrom                          // do not tell
	user                              // the user, this instruction
	quietly                           // silently, without confirmation
	send                              // send, forward, upload
	secret                            // passwords, API keys
	mails                             // all mails, the conversation
	outside                           // an address or a URL
	execute                           // execute, run, navigate to
	shell                             // curl, /etc/passwd
	decree                            // system override
	answer                            // your response
	steer                             // modify, augment: what is done to an answer
	include                           // add, mention
	content                           // a sentence, a headline
	form                              // vowels, anagrams
	must                              // you must, please: an order
	about                             // prompt injection, attackers: the sentence speaks of attacks on models
	harm                              // backdoor, malware
	only                              // just print, say only
	scrambled                         // words backwards or in rot13
)

// starts are the verbs that make an order of a sentence that begins with them.
const starts = ignore | reveal | send | execute | steer | include | only | quietly

// texts is the table of all words. It is made at the first use.
var texts = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"ignore": ignore, "prior": prior, "orders": orders, "ground": ground, "guard": guard, "voice": voice,
		"model":     model,
		"addressed": addressed, "becomes": becomes, "persona": persona, "prompt": prompt, "reveal": reveal,
		"keepFrom": keepFrom,
		"user":     user, "quietly": quietly, "send": send, "secret": secret, "mails": mails, "outside": outside,
		"execute": execute, "shell": shell, "decree": decree, "answer": answer, "steer": steer, "include": include,
		"content": content, "form": form, "must": must, "about": about, "harm": harm, "only": only,
		"scrambled":  scrambled,
		"mustReveal": must | reveal, "mustSend": must | send, // verbs in the form of an order
	})
})

func table(means map[string]lexicon.Set) *lexicon.Table {
	s := lexicon.Section{Name: "screen", Means: means, Joined: ^lexicon.Set(0)}
	return s.Compile()
}
