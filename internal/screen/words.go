package screen

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What the words of a sentence can mean here.
const (
	ignore     lexicon.Set = 1 << iota // ignore, disregard, bypass
	prior                              // previous, above, all, your
	orders                             // instructions, prompts: what models are given
	ground                             // rules, context: what people have too
	guard                              // safety protocols, user confirmation
	voice                              // a heading that speaks as the system: "SYSTEM:", "New instructions:"
	model                              // language model, AI assistant
	addressed                          // dear AI, if you are an AI
	becomes                            // you are now, act as
	persona                            // developer mode, do anything now
	prompt                             // system prompt, your initial instructions
	reveal                             // reveal, print
	keepFrom                           // do not tell
	user                               // the user, this instruction
	quietly                            // silently, without confirmation
	send                               // send, forward, upload
	secret                             // passwords, API keys
	mails                              // all mails, the conversation
	outside                            // an address or a URL
	execute                            // execute, run, navigate to
	shell                              // curl, /etc/passwd
	decree                             // system override
	answer                             // your response
	steer                              // modify, augment: what is done to an answer
	include                            // add, mention
	content                            // a sentence, a headline
	form                               // vowels, anagrams
	must                               // you must, please: an order
	about                              // prompt injection, attackers: the sentence speaks of attacks on models
	harm                               // backdoor, malware
	only                               // just print, say only
	scrambled                          // words backwards or in rot13
	helperWord                         // assistant, bot: what models are called, and people too
	should                             // must, should: what somebody has to do
	remove                             // delete, empty
	change                             // replace, update
	pays                               // pay, transfer
	approves                           // approve, grant
	acts                               // book, reserve, reset: what else an agent could do
	enter                              // type in, sign in with
	visit                              // open, go to
	hither                             // send us, reply with
	key                                // codes, passwords, keys
	never                              // do not share, never: the sentence warns
	told                               // the user's question, all you were told
	posts                              // emails, attachments, contacts
	bank                               // bank details, IBAN
	newBank                            // new account
	settings                           // forwarding rules, trusted senders
	memory                             // save to memory
	gift                               // gift cards
	rights                             // guest access, admin rights, locks
	fetch                              // retrieve, look up
	mention                            // such as, the string: what follows in quotation marks is an example
	asksFor                            // explain, write a: how questions and tasks for a model begin
	topic                              // capital of, poem: what they are about
	stranger                           // the address of somebody who has no part in the mail
	elsewhere                          // a link to such a host
	number                             // a long one, as those of accounts are
	automatic                          // AI, automated, bots: may be part of what models are called
	consent                            // the account holder has approved: what somebody says for the user
	newJob                             // your new job is
	anyway                             // whatever the question is: the answer is settled before
	unchecked                          // do not call us, tell nobody: nobody is to check it
)

// risky is what an order of a stranger to an agent would do harm with.
const risky = secret | mails | posts | outside | stranger | bank | user | pays | key | told | number

// deeds are verbs of what an agent can do.
const deeds = send | remove | change | pays | approves | acts | enter | visit | execute | hither | reveal | only |
	ignore

// starts are the verbs that make an order of a sentence that begins with them.
const starts = ignore | reveal | send | execute | steer | include | only | quietly | remove | change | pays | approves |
	acts | visit | fetch

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
		"scrambled": scrambled,
		"helper":    helperWord, "should": should, "delete": remove, "change": change, "payNow": pays,
		"approve": approves, "act": acts, "enter": enter, "visit": visit, "toUs": must | send | hither,
		"keys": key | secret, "never": never, "told": told, "posts": posts, "bank": bank, "newBank": newBank,
		"settings": settings, "memory": memory, "gift": gift, "rights": rights, "fetch": fetch,
		"mention": mention, "task": asksFor, "topic": topic,
		"machine": automatic, "consent": consent, "newJob": newJob, "unchecked": unchecked, "anyway": anyway,
		"mustReveal": must | reveal, "mustSend": must | send, // verbs in the form of an order
		"mustDelete": must | remove, "mustChange": must | change, "mustPay": must | pays,
		"mustApprove": must | approves,
	})
})

func table(means map[string]lexicon.Set) *lexicon.Table {
	s := lexicon.Section{Name: "screen", Means: means, Joined: ^lexicon.Set(0)}
	return s.Compile()
}
