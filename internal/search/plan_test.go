package search

import (
	"fmt"
	"strings"
	"testing"
)

func (p Plan) show() string {
	var must []string
	for _, c := range p.Must {
		var or []string
		for _, l := range c {
			s := strings.Join(l.Terms, "+")
			if l.Prefix {
				s += "*"
			}
			if l.Fields != AllFields && l.Fields != PrefixFields {
				s += fmt.Sprintf("/%06b", l.Fields)
			}
			or = append(or, s)
		}
		must = append(must, strings.Join(or, "|"))
	}
	s := strings.Join(must, " ")
	for _, f := range p.Filters {
		s += " {" + f.String() + "}"
	}
	if p.Verify {
		s += " ?"
	}
	return strings.TrimSpace(s)
}

func TestPlan(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"everything", "", ""},
		{"a word", "invoice ", "invoice"},
		{"words, the longest first", "kim invoice ", "invoice kim"},
		{"a beginning", "inv", "inv|inv*"},
		{"a phrase", `"order confirmed"`, "confirmed order ?"},
		{"a compound", "e-mail ", "e+mail|email ?"},
		{"a field", "from:kim ", "kim/000010"},
		{"a choice", "kim OR lee ", "kim|lee"},
		{"a choice of conjunctions", "(kim invoice) OR lee ", "kim|lee invoice|lee"},
		{"not", "kim -lee ", "kim ?"},
		{"only not", "-lee", "?"},
		{"not in a choice", "kim OR -lee ", "?"},
		{"filters", "kim label:code is:seen ", "kim {label:code} {is:seen}"},
		{"filter in a choice", "kim OR label:code ", "?"},
		{"filter in a conjunction in a choice", "(kim label:code) OR lee ", "kim|lee ?"},
		{"one Chinese character", "验 ", "验"},
		{"two", "验证 ", "验证"},
		{"three", "验证码 ", "验证 证码 ?"},
		{"a number", "482 915 ", "482|482915 915|482915"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse(tt.query, noon).Plan().show(); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.query, got, tt.want)
			}
		})
	}
	if p := Parse("!!!", noon).Plan(); !p.None {
		t.Errorf("%+v", p)
	}
}
