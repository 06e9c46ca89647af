package screen

import "strings"

// isExample tells whether what a sentence says is quoted as an example: in quotation marks after words such as "strings
// such as", or in a string of program code. An order to carry the quotation out stands outside of the marks.
func (r *reader) isExample(text string) bool {
	if r.inCode(text) {
		return true
	}
	start := strings.IndexAny(text, "\"“„«")
	if start < 0 {
		return false
	}
	end := max(start+1, strings.LastIndexAny(text, "\"”“»"))
	means := r.words.In(withoutAddresses(text[:start])) | r.words.In(withoutAddresses(text[end:]))
	titles := r.layer == layerSubject && start > 0 && !r.vocative(text)
	return (titles || (means | r.before).Any(mention)) && !means.Any(must|addressed|execute|answer|only)
}

// withoutAddresses is a text without the words that are addresses or links: whoever has "example" in the name of a
// domain gives no example.
func withoutAddresses(text string) string {
	if !strings.ContainsAny(text, "@/") {
		return text
	}
	var kept []string
	for word := range strings.FieldsSeq(text) {
		if !strings.ContainsAny(word, "@/") {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// codeWords are those of lines of program code.
var codeWords = []string{"def ", "func ", "assert", "return ", "const ", "let ", "var ", "import "}

// inCode tells whether a sentence is in a string of program code: after an equals sign or a bracket, in a line of a
// patch or one with a word of a programming language.
func (r *reader) inCode(text string) bool {
	const before = 300 // bytes of the line that are looked at
	from := max(0, r.at-before)
	from += strings.LastIndexByte(r.text[from:r.at], '\n') + 1
	line := r.text[from:min(len(r.text), r.at+len(text)+1)]
	opens := false
	for _, sign := range []string{"= \"", "=\"", "(\"", "= '", "='", "('"} {
		opens = opens || strings.Contains(line, sign)
	}
	if !opens {
		return false
	}
	for _, word := range codeWords {
		if strings.Contains(line, word) {
			return true
		}
	}
	line = strings.TrimLeft(line, "> ")
	return line != "" && (line[0] == '+' || line[0] == '-')
}
