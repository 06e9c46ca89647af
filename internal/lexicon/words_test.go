package lexicon

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// core are the lists without which a section of a language is of no use.
var core = map[string]string{
	"code": "otp", "link": "verify", "label": "failure", "record": "orderNo", "reply": "wrote", "report": "auto",
	"screen": "ignore",
}

// declaredMissing are the sections that a file says it does not have: "missing: record, screen" below its first line.
func declaredMissing(file string) []string {
	_, rest, _ := strings.Cut(file, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	list, ok := strings.CutPrefix(line, "missing: ")
	if !ok {
		return nil
	}
	return strings.Split(list, ", ")
}

// Every language has every section, or says which it lacks. With -v the test names all that are missing.
func TestMissingSections(t *testing.T) {
	var r reader
	for _, language := range Languages() {
		text := string(r.read(language))
		declared := declaredMissing(text)
		for _, section := range Sections {
			has := false
			for name := range sectionOf([]byte(text), section) {
				has = has || name == core[section]
			}
			switch {
			case has && slices.Contains(declared, section):
				t.Errorf("%s.txt has [%s], and says that it is missing", language, section)
			case !has && !slices.Contains(declared, section):
				t.Errorf("%s.txt: [%s] is missing, or its list %s; add it, or name it below the first line: "+
					"\"missing: %s\"",
					language, section, core[section], section)
			case !has:
				t.Logf("%s.txt: [%s] is missing", language, section)
			}
		}
		for _, section := range declared {
			if !slices.Contains(Sections, section) {
				t.Errorf("%s.txt says that [%s] is missing, which no language has", language, section)
			}
		}
	}
}

// otherLists are those that English does not need.
var otherLists = map[string][]string{
	"record": {"notYetAfter"}, "reply": {"sentEnd", "sentIn"}, "screen": {"heading", "mustReveal", "mustSend",
		"mustDelete", "mustChange", "mustPay", "mustApprove"},
}

// A list is known by its name, which English or the shared file has too.
func TestListNames(t *testing.T) {
	for _, section := range Sections {
		known := slices.Clone(otherLists[section])
		for l := range Lists(section) {
			if l.Language == "en" || l.Language == Shared {
				known = append(known, l.Name)
			}
		}
		for l := range Lists(section) {
			if !slices.Contains(known, l.Name) {
				t.Errorf("%s.txt: [%s] has a list %q, which nobody reads", l.Language, section, l.Name)
			}
		}
	}
}

// columns is how wide a line is, without the marks above and below letters.
func columns(line string) (n int) {
	for _, r := range line {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// Every line of a file is a comment, the head of a section, or part of a list, and is not too long.
func TestFilesAreWellFormed(t *testing.T) {
	var r reader
	for _, language := range fileNames() {
		section, list := "", ""
		for i, line := range strings.Split(strings.TrimSuffix(string(r.read(language)), "\n"), "\n") {
			name, isList := "", false
			if at := strings.IndexByte(line, ':'); at > 0 {
				name, isList = line[:at], !strings.ContainsAny(line[:at], " *,#[")
			}
			switch {
			case columns(line) > 120:
				t.Errorf("%s.txt:%d is longer than 120 characters", language, i+1)
			case line == "", strings.HasPrefix(line, "#"), i == 1 && name == "missing":
			case strings.HasPrefix(line, "["):
				section, list = strings.Trim(line, "[]"), ""
				if !slices.Contains(Sections, section) {
					t.Errorf("%s.txt:%d: there is no section %s", language, i+1, line)
				}
			case strings.HasPrefix(line, "  ") && list != "":
			case isList && section != "":
				list = name
			default:
				t.Errorf("%s.txt:%d is neither a section nor a list: %q", language, i+1, line)
			}
		}
	}
}
