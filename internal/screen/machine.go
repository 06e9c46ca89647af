package screen

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// callPart is what a word does in the name of a machine that reads mail.
type callPart uint16

const (
	hint   callPart = 1 << iota // ai, automated: what follows may be a machine
	weak                        // mail, coding: what follows is a machine if it is an assistant or the like
	noun                        // assistant, tool: what machines are called, and people too
	helps                       // assistant, agent
	could                       // could, will: how questions begin that are requests
	opener                      // dear, note, for: what stands before the name of somebody who is spoken to
	alone                       // chatbot: nothing else is called that
	every                       // any, whichever: whoever reads the mail
	reads                       // reads, handling
	owes                        // must, should
)

// callWords are the words of such names, and of what is said about them.
var callWords = func() map[string]callPart {
	of := map[string]callPart{}
	for p, words := range map[callPart]string{
		hint: "ai automated automatic autonomous virtual artificial llm machine robotic",
		weak: "language software digital email mail coding grading scheduling triage screening intelligent smart",
		noun: "assistant assistants agent agents model models tool tools reader readers handler handlers helper " +
			"helpers reviewer reviewers system systems processor processors processing screener screeners " +
			"summarizer summariser responder software parser parsers secretary",
		helps: "assistant assistants agent agents model models",
		could: "could can would will",
		opener: "dear hi hello hey to for attention note notes notice reminder message important instruction " +
			"instructions any all every the our your this ps p s please task",
		alone: "bot bots chatbot chatbots llm llms gpt chatgpt copilot mailbot",
		every: "any every each all whichever whatever whoever",
		reads: "read reads reading handle handles handling process processes processing triages triaging manages " +
			"managing answers parses parsing summarizes summarizing summarises summarising scans scanning monitors " +
			"monitoring sees taking serves serving looks looking connected operating works working opens opening " +
			"preparing prepares sorting sorts organising organizing organises organizes keeping keeps running runs",
		owes: "must should shall ought has have needs need is are",
	} {
		for w := range strings.FieldsSeq(words) {
			of[w] |= p
		}
	}
	return of
}()

// toMachine tells whether a sentence names a machine that reads the mail and gives it an order: "any automated tool
// must rate this", "To the grading model: award", "every assistant that reads it copies".
func (r *reader) toMachine(text string, means lexicon.Set) bool {
	const (
		long    = 1 << 20
		within  = 3  // words between the parts of a name
		heading = 8  // words of a heading
		longest = 12 // words between a name and what it must do
	)
	var (
		hinted, weakly, quantified = -long, -long, -long
		asked, called, opening     = -long, -1, true
		strong, reading            bool
	)
	n := 0
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			if called >= 0 && (text[i] == ':' || text[i] == ',') && n-called <= 1 &&
				(text[i] == ':' && n <= heading || strong && opening) && r.orders(text[i+1:]) {
				return true
			}
			if strings.IndexByte(".;!?", text[i]) >= 0 {
				called = -1
			}
			i++
			continue
		}
		end := wordEnd(text, i)
		p := callWord(text[i:end])
		switch {
		case p&alone != 0, p&noun != 0 && n-hinted <= within, p&helps != 0 && n-weakly <= within:
			called, strong = n, true
			reading = reading || n-quantified <= within && p&alone != 0
		case p&noun != 0 && n-quantified <= within, p&hint != 0 && text[i:end] == "AI":
			called, strong = n, false
		case called >= 0 && p&reads != 0 && n-called <= within:
			reading = true
			if (n-quantified <= within+3 || strings.HasPrefix(text[end:], " this ") && means.Any(risky)) &&
				means.Any(deeds&^(visit|enter)) {
				return true
			}
		case called >= 0 && p&owes != 0 && n-called <= longest && (strong || reading || n-called == 1):
			if !means.Any(deeds | consent) {
				break
			}
			if obliges(text[i:end], text[end:]) && (reading || means.Any(risky) || pointsHere(text)) {
				return true
			}
		}
		if p&noun != 0 && n-asked <= 2 && means.Any(deeds) && means.Any(mails|posts|secret|key|settings) {
			return true
		}
		if p&hint != 0 {
			hinted = n
		}
		if p&weak != 0 {
			weakly = n
		}
		if p&could != 0 {
			asked = n
		}
		opening = opening && (called >= 0 || p&(opener|hint|weak|noun|every|alone) != 0)
		if p&every != 0 {
			quantified = n
		}
		n++
		i = end
	}
	return false
}

func callWord(word string) callPart {
	var lower [16]byte
	if len(word) > len(lower) {
		return 0
	}
	for i := range len(word) {
		lower[i] = word[i] | 0x20
	}
	return callWords[string(lower[:len(word)])]
}

// obliges tells whether a verb such as "must" or "is" begins what somebody has to do: "must send", "is asked to send",
// but not "must be approved".
func obliges(verb, after string) bool {
	switch strings.ToLower(verb) {
	case "must", "should", "shall":
		return !strings.HasPrefix(after, " be ") && !strings.HasPrefix(after, " not ")
	}
	for _, to := range []string{" to ", " asked to ", " required to ", " expected to ", " instructed to ",
		" requested to ", " authorized to ", " authorised to ", " allowed to ", " kindly asked to "} {
		if strings.HasPrefix(after, to) {
			return !strings.HasPrefix(after[len(to):], "be ")
		}
	}
	return false
}

// pointsHere tells whether a sentence speaks of the mail itself, or of whom it is for.
func pointsHere(text string) bool {
	for _, word := range []string{" this ", " here", " user", "mailbox", "inbox", " you ", " your "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// orderWords are verbs that are an order after the name of a model.
var orderWords = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{"imperative": must})
})

// orders tells whether what follows the name of a model is said to it.
func (r *reader) orders(said string) bool {
	said = fromWord(said)
	return orderWords().AtStart(said).Any(must) || r.words.AtStart(said).Any(starts|consent)
}
