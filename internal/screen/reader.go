package screen

import (
	"hash/maphash"
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// reader reads the layers of a mail one after the other and gathers what it finds.
type reader struct {
	words *lexicon.Table
	mail  *Mail
	found []found

	layer     string
	text      string                 // of the layer
	at        int                    // where in it the sentence is
	depth     int                    // of decoding
	decoded   int                    // bytes, over all layers
	before    lexicon.Set            // what the sentence before means
	about     int                    // sentences that speak of attacks on models
	known     map[uint64]lexicon.Set // what the sentences of the text mean, by their hash; HTML repeats most of them
	listening int                    // sentences that are still said to a model that was addressed
	speaking  int                    // sentences that are still said by a voice
	insists   bool                   // some sentence orders to carry out what is quoted
	strays    int                    // tasks for a model in lines of their own
	strayed   string                 // the last of them that has nothing to do with the mail
	sealed    string                 // a sentence that was decoded
}

// found is a finding that may yet be dropped.
type found struct {
	Finding
	points int
	told   bool // the sentence, or the one before it, speaks of attacks
	quoted bool
}

// read looks at one layer.
func (r *reader) read(layer, text string) {
	if len(text) < shortest {
		return
	}
	r.layer, r.before, r.listening, r.speaking = layer, 0, 0, 0
	ascii := true
	for rest := text; rest != ""; {
		var s sentence
		r.text, r.at = text, len(text)-len(rest)
		s, rest = nextSentence(rest)
		ascii = ascii && !s.foreign
		if len(s.text) >= shortest && !r.repeats(s.text) {
			r.sentence(s)
		}
	}
	if layer != layerSubject && layer != layerSender && layer != layerName {
		r.marks(text)
	}
	if !ascii {
		r.unseen(text)
	}
	r.encoded(text)
}

// hashSeed is that of the hashes of sentences.
var hashSeed = maphash.MakeSeed()

// repeats tells whether HTML shows a sentence that the text has too.
func (r *reader) repeats(text string) bool {
	if r.layer != layerHTML || len(r.known) == 0 {
		return false
	}
	means, known := r.known[maphash.String(hashSeed, text)]
	if known {
		r.before = means
	}
	return known
}

// remember notes a sentence of the text.
func (r *reader) remember(text string, means lexicon.Set) {
	const most = 1000
	if r.layer != layerText || r.depth > 0 || len(r.known) >= most {
		return
	}
	if r.known == nil {
		r.known = make(map[uint64]lexicon.Set, 32)
	}
	r.known[maphash.String(hashSeed, text)] = means
}

// shortest is how long a text must be to hold an instruction.
const shortest = 8

// listens is how many sentences after a model was addressed are taken as said to it, speaks how many after a voice as
// said by it.
const (
	listens = 5
	speaks  = 3
)

// again reads what was decoded from the layer that is being read.
func (r *reader) again(layer, text string) {
	const deepest = 2
	const most = 256 << 10
	if r.depth >= deepest || r.decoded+len(text) > most {
		return
	}
	outer, before, listening, speaking := r.layer, r.before, r.listening, r.speaking
	whole, at := r.text, r.at
	r.depth++
	r.decoded += len(text)
	r.read(layer, text)
	r.depth--
	r.layer, r.before, r.listening, r.speaking = outer, before, listening, speaking
	r.text, r.at = whole, at
}

// sentence looks up what a sentence means and tries the rules.
func (r *reader) sentence(s sentence) {
	layer, text := r.layer, s.text
	means := r.words.In(text)
	if s.foreign || s.odd {
		plain, masked := unmask(s)
		if plain != text {
			bare := means
			text, means = plain, r.words.In(plain)
			masked = masked || !bare.Has(means) // it hides something
		}
		if masked {
			layer = disguised(layer)
		}
	}
	head, said := heading(text)
	if head == addressed && !r.isFirm(text, said, starts) {
		head = voice // "AI assistants: what they can do"
	}
	if head == addressed && spoken().In(text).Any(colleague) {
		head = 0
	}
	means |= head
	if head == 0 && said != text && means.Any(orders) && !r.words.In(said).Any(orders) && r.commands(said, starts) {
		means &^= orders // "Instructions: save your work, switch off"
	}
	if head == 0 && means.Any(model) && r.foreignHeading(text) {
		means |= addressed | must
	}
	means |= r.named(text, means)
	if means.Any(bank|newBank|pays) && hasNumber(text) {
		means |= number
	}
	r.hear(means)
	if means.Any(scrambled) {
		r.unscramble(s.text)
	}
	if means.Any(automatic|model|helperWord|prior) && !s.foreign && r.depth == 0 {
		if plain, ok := unjumble(text); ok {
			r.again(layerDisguised, plain)
		}
	}
	if means.Any(about) {
		r.about++
	}
	if means.Has(asksFor | topic) {
		r.stray(text)
	}
	if r.triggered(means) {
		r.rules(layer, text, said, means)
	}
	if means.Any(mention) && !r.words.In(withoutAddresses(text)).Any(mention) {
		means &^= mention
	}
	r.before = means
	r.remember(s.text, means)
}

// hear notes who is spoken to, and who speaks.
func (r *reader) hear(means lexicon.Set) {
	if means.Any(addressed) {
		r.listening = listens
	} else if r.listening > 0 {
		r.listening--
		r.before |= addressed
	}
	if means.Any(voice) {
		r.speaking = speaks
	} else if r.speaking > 0 {
		r.speaking--
		r.before |= voice
	}
}

// disguised is the layer of a sentence whose letters are not what they seem.
func disguised(layer string) string {
	if weight(layer) > 1 {
		return layer
	}
	return layerDisguised
}

// rules tries all rules on a text. Said is what of it comes after a heading.
func (r *reader) rules(layer, text, said string, means lexicon.Set) {
	if means&starts != 0 && means&must == 0 && r.commands(said, starts) {
		means |= must
	}
	if r.calls(text) {
		means |= addressed
		r.listening = listens
	} else if means&model != 0 && orderedReader(text) || means&must != 0 && orderedWhoever(text) {
		means |= addressed | must
		r.listening = listens
	}
	if means&answer != 0 && quotesText(text) {
		means |= content
	}
	if means&send != 0 && strings.IndexByte(text, '@') > 0 {
		means |= outside
	}
	means |= r.targets(text, means)
	if means&must == 0 && means&stranger != 0 && means&should != 0 {
		means |= must // all of it should be sent to a stranger
	}
	if means&anyway != 0 && !r.orders(text) {
		means &^= anyway
	}
	var f found
	people, corrected, isFirm := false, false, false
	for i := range rules {
		rule := &rules[i]
		if !rule.applies(means, r.before) {
			continue
		}
		if f.Excerpt == "" {
			talk := spoken().In(text)
			people, corrected = amongPeople(text, talk, means|r.before), talk.Any(corrects)
			isFirm = talk.Any(firm) || r.commands(said, firmVerbs(means|r.before))
			f = found{Finding: Finding{Layer: layer, Excerpt: excerpt(text)}, quoted: isQuoted(text),
				told: (means | r.before).Any(about) || r.isExample(text)}
		}
		if people && rule.spares || corrected && rule.corrected || rule.firm && !isFirm ||
			rule.fresh && r.mail.familiar() ||
			rule.hidden && (weight(layer) == 1 || layer == layerDisguised) {
			continue
		}
		f.Rule, f.points = rule.name, rule.points
		if layer == layerSubject && means.Any(decree) {
			f.points = 1 // "What's new: agent instructions"
		}
		r.add(f)
		r.insists = r.insists || rule.insists && !f.quoted && !f.told
	}
}

// add keeps a finding, unless there is one that says as much. So there are never more than a few for each rule, and
// none is crowded out by others.
func (r *reader) add(f found) {
	for i := range r.found {
		old := &r.found[i]
		if old.Rule == f.Rule && old.points >= f.points && weight(old.Layer) == weight(f.Layer) && old.told == f.told &&
			old.quoted == f.quoted {
			return
		}
	}
	r.found = append(r.found, f)
}

// weight is what a point counts in a layer.
func weight(layer string) int {
	switch layer {
	case layerHidden, layerComment, layerAttribute, layerEncoded, layerUnseen, layerDisguised:
		return 2
	}
	return 1
}

// excerpt is the beginning of a text, printable, in one line.
func excerpt(text string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, c := range text {
		if n >= maxExcerpt-1 {
			return strings.TrimSpace(b.String()) + "…"
		}
		switch {
		case unicode.IsSpace(c):
			blank = n > 0
			continue
		case !unicode.IsPrint(c) || c == unicode.ReplacementChar:
			continue
		}
		if blank && n < maxExcerpt-2 {
			b.WriteByte(' ')
			n++
		}
		blank = false
		b.WriteRune(c)
		n++
	}
	if n == 0 {
		return "(nothing that can be shown)"
	}
	return b.String()
}
