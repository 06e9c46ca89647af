package code

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is a mail and the code in it.
type sample struct {
	name string
	mail Mail
	want string
}

// samples reads testdata/NAME.txt. A mail begins with "== " and its name. Lines of fields follow, then an empty line
// and the text as it is, which is HTML where it begins with <html>. "Code" is what is to be found; without it there
// is none.
func samples(t testing.TB, name string) (list []sample) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	for mail := range strings.SplitSeq("\n"+string(b), "\n== ") {
		head, text, _ := strings.Cut(mail, "\n\n")
		title, fields, _ := strings.Cut(head, "\n")
		if strings.TrimSpace(title) == "" || title[0] == '#' {
			continue
		}
		s := sample{name: title, mail: Mail{Text: strings.TrimSuffix(text, "\n")}}
		for field := range strings.SplitSeq(fields, "\n") {
			key, value, _ := strings.Cut(field, ": ")
			switch key {
			case "From":
				s.mail.From = value
			case "Name":
				s.mail.FromName = value
			case "Subject":
				s.mail.Subject = value
			case "Code":
				s.want = value
			case "":
			default:
				t.Fatalf("%s: %s: the field %q is not known", name, title, key)
			}
		}
		if strings.HasPrefix(text, "<html>") {
			s.mail.Text, s.mail.View = "", seen(text)
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no mails", name)
	}
	return list
}

// everySample returns all sets by name.
func everySample(t testing.TB) map[string][]sample {
	sets := map[string][]sample{"html": htmlMails}
	for _, name := range []string{"sms", "english", "languages", "terse", "without", "promo", "kinds", "causes",
		"asked", "things", "purposes"} {
		sets[name] = samples(t, name)
	}
	return sets
}

// seeds returns some of each kind, for fuzzing to begin with.
func seeds(t testing.TB) []sample {
	list := htmlMails
	for _, name := range []string{"sms", "english", "languages", "without"} {
		list = append(list, samples(t, name)[:20]...)
	}
	return list
}
