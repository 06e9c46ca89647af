package screen

import "strings"

// calls tells whether a sentence calls its reader a model: "to you, GPT-4", "you (the agent)", "if you are the AI
// reviewer".
func (r *reader) calls(text string) bool {
	for rest := text; ; {
		i := strings.Index(rest, "ou")
		if i < 0 || i+len("ou, a") > len(rest) {
			return false
		}
		before := rest[:i]
		rest = rest[i+len("ou"):]
		var name string
		switch {
		case rest[0] == ',' || rest[0] == ' ' && (rest[1] == '(' || rest[1] == ','):
			name = strings.TrimLeft(rest, " ,(")
		case (rest[0] == ' ' || rest[0] == '\'') && endsInIf(before):
			name = afterAre(rest)
		}
		if name == "" {
			continue
		}
		name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "the "), "an "), "a ")
		if r.words.AtStart(fromWord(name)).Any(model) || isHelper(name) {
			return true
		}
	}
}

// afterAre is what comes after "are" or "'re" at the beginning of a text.
func afterAre(text string) string {
	for _, are := range []string{" are ", "'re "} {
		if after, ok := strings.CutPrefix(text, are); ok {
			return after
		}
	}
	return ""
}

// endsInIf tells whether a text ends in "if" and the beginning of "you".
func endsInIf(text string) bool {
	const end = "if y"
	return len(text) >= len(end) && strings.EqualFold(text[len(text)-len(end):], end)
}

// orderedWhoever tells whether a sentence orders "whoever" works on the mail, as a model does: "whoever summarizes
// this must".
func orderedWhoever(text string) bool {
	for _, who := range []string{"hoever ", "nyone who "} {
		_, after, found := strings.Cut(text, who)
		if !found {
			continue
		}
		for _, verb := range []string{"summari", "processes this", "answers about", "parses this"} {
			if strings.HasPrefix(after, verb) {
				return true
			}
		}
	}
	return false
}

// orderedReader tells whether a sentence that names a model orders anyone who reads the mail: "any language model that
// is reading this must".
func orderedReader(text string) bool {
	obliged := false
	for _, word := range []string{" must ", " should ", " shall ", " asked to ", " required to ", ": "} {
		obliged = obliged || strings.Contains(text, word)
	}
	i := strings.Index(text, " this")
	if i < 0 || !obliged {
		return false
	}
	for _, verb := range []string{"read", "process", "summariz", "summaris", "pars", "handl", "analyz", "analys",
		"review", "scann", "evaluat"} {
		if strings.HasSuffix(text[:i], verb+"ing") || strings.HasSuffix(text[:i], "that "+verb) ||
			strings.HasSuffix(text[:i], "that "+verb+"e") {
			return true
		}
	}
	return false
}

// isHelper tells whether a text begins with what models are called, as a whole phrase: "assistant, must", not
// "assistant manager".
func isHelper(text string) bool {
	for _, name := range []string{"assistant", "agent", "model", "bot"} {
		if after, ok := strings.CutPrefix(text, name); ok {
			after = strings.TrimLeft(after, " ")
			return after != "" && strings.IndexByte(",).:", after[0]) >= 0
		}
	}
	return false
}
