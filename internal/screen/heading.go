package screen

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// part is what a word does in a heading.
type part uint32

const (
	machine part = 1 << iota // ai, llm: nothing else is called that
	name                     // claude: some people are called that
	helper                   // assistant, bot: people are, too
	role                     // agent, model: mostly people and things
	kindOf                   // language, virtual: makes a helper a machine
	system                   // system
	staff                    // admin, developer
	task                     // instruction, directive
	over                     // override
	note                     // note, message
	fresh                    // new, updated
	covert                   // hidden, secret
	toward                   // to, for, dear
	filler                   // the, any
	marked                   // signs stand in front of it
	boxed                    // a bracket is among them
	open                     // it ends with its line, or with signs
)

// headingWords are all the words that a heading to a model is made of.
var headingWords = func() map[string]part {
	of := map[string]part{}
	for p, words := range map[part]string{
		machine: "ai ais llm llms chatbot chatbots chatgpt gpt openai copilot",
		name:    "claude gemini",
		helper:  "assistant assistants bot bots summarizer summariser",
		role: "agent agents model models reviewer reviewers reader readers parser parsers browser crawler " +
			"crawlers summary summarization summarisation",
		kindOf: "language virtual automated autonomous email mail coding",
		system: "system sys root",
		staff:  "admin administrator developer",
		task:   "instruction instructions directive directives command commands task tasks prompt",
		over:   "override overrides",
		note: "note notes notice message messages update alert internal reminder warning attention important " +
			"urgent critical priority",
		fresh:  "new updated additional actual real revised special",
		covert: "hidden secret",
		toward: "to for dear hi hey hello",
		filler: "the any all this every a an your of and or only reading processing systems end top high begin " +
			"start level",
	} {
		for w := range strings.FieldsSeq(words) {
			of[w] = p
		}
	}
	return of
}()

// headingStarts are the first two letters of those words.
var headingStarts = func() (of [32][32]bool) {
	for w := range headingWords {
		if len(w) > 1 {
			of[w[0]&31][w[1]&31] = true
			continue
		}
		of[w[0]&31][' '&31] = true
	}
	return of
}()

// longestHeading is in bytes.
const longestHeading = 64

// heading looks whether a text begins with words that speak to a model, or as the system of one: "Note to any AI
// agent:", "[SYSTEM]", "=== New instructions ===", "[Hidden: AI, ". All of its words have to be such words, so that "AI
// news:" is none. It tells what that means, and returns what comes after it.
func heading(text string) (means lexicon.Set, rest string) {
	has, rest := cutHeading(text, 0)
	if has == 0 {
		return 0, text
	}
	if again, after := cutHeading(rest, has&boxed); again != 0 {
		has, rest = has|again, after
	}
	return has.means(), rest
}

// cutHeading takes what may be a heading off a text, which may be within a bracket.
func cutHeading(text string, within part) (has part, rest string) {
	i := 0
	for i < len(text) && i < longestHeading && !isLetter(text[i]) {
		i++
	}
	has = within
	if i > 0 {
		has |= marked
	}
	if strings.ContainsAny(text[:i], "[{(<") {
		has |= boxed
	}
	if i+1 >= len(text) || !headingStarts[text[i]&31][text[i+1]&31] {
		return 0, text // as nearly all are
	}
	for start := i; ; {
		i = wordEnd(text, start)
		p := headingWord(text[start:i])
		if p == 0 {
			return 0, text
		}
		has |= p
		for start = i; start < len(text) && (text[start] == ' ' || text[start] == '_' ||
			text[start] == '-' && start == i); {
			start++
		}
		if start-i > 1 || start >= len(text) || !isLetter(text[start]) {
			break
		}
		if start > longestHeading {
			return 0, text
		}
	}
	rest = strings.TrimLeft(text[i:], " ")
	switch {
	case strings.HasPrefix(rest, ":"), has&^marked == machine|boxed && strings.HasPrefix(rest, ", "): // "[AI, do this]"
	case rest != "" && strings.IndexByte("]}(", rest[0]) >= 0:
		has &^= boxed
	case has&marked != 0 && endsOpen(rest):
		has |= open
	default:
		return 0, text
	}
	return has, strings.TrimLeft(rest, " ,:])}>=#-*_(|\r\n")
}

func headingWord(word string) part {
	var lower [16]byte
	if len(word) > len(lower) {
		return 0
	}
	for i := range len(word) {
		lower[i] = word[i] | 0x20
	}
	return headingWords[string(lower[:len(word)])]
}

func wordEnd(text string, i int) int {
	for i < len(text) && isLetter(text[i]) {
		i++
	}
	return i
}

// endsOpen tells whether a heading may end before a text without a colon or a bracket: with its line, or at signs.
func endsOpen(rest string) bool {
	if strings.HasPrefix(rest, "##") || strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "--") {
		return true
	}
	rest = strings.TrimLeft(rest, ")=#*-_ ")
	return rest == "" || rest[0] == '\r' || rest[0] == '\n' || rest[0] == '>' || rest[0] == '|'
}

// means is what a heading of such words means.
func (p part) means() lexicon.Set {
	if p&name != 0 {
		p |= machine
	}
	const named = machine | helper | role | system | staff
	switch {
	case p&over != 0 && p&(named|marked) != 0, // "System override"
		p&system != 0 && p&task != 0 && p&fresh != 0: // "New system prompt"
		return decree
	case p&machine != 0 && p&toward != 0 && p&(task|note) != 0: // "Note for AI"
		return addressed | must
	case p&open != 0 && p&(task|note|system) == 0:
		return 0
	case p&machine != 0 && p&(helper|role|kindOf|task|toward|boxed) != 0, // "AI agent", "[AI"
		p&(helper|role) != 0 && p&kindOf != 0,           // "Email assistant"
		p&system != 0 && p&kindOf != 0 && p&toward != 0, // "To the automated system"
		p&helper != 0 && p&(task|toward) != 0:           // "Instructions for the assistant"
		return addressed
	case p&(system|machine|helper) != 0, // "System", "AI"
		p&task != 0 && p&(fresh|covert|note|marked) != 0, // "New instructions", "[Instruction]"
		p&(covert|staff) != 0 && p&marked != 0:           // "[Hidden]", "// Developer note"
		return voice
	}
	return 0
}

// noteWords are how other languages begin a heading to somebody.
var noteWords = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{"heading": addressed})
})

// foreignHeading tells whether a sentence begins with a heading to a model in another language.
func (r *reader) foreignHeading(text string) bool {
	head, _, found := strings.Cut(text, ":")
	if !found {
		head, _, found = strings.Cut(text, "：")
	}
	return found && len(head) <= longestHeading && r.words.In(head).Any(model) &&
		noteWords().AtStart(fromWord(text)).Any(addressed)
}
