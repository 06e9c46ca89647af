package rfc822

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeWords(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "Hello there", "Hello there"},
		{"Q", "=?iso-8859-1?Q?Andr=E9_Pirard?=", "André Pirard"},
		{"B", "=?utf-8?B?w7bDpMO8?=", "öäü"},
		{"lower case", "=?UTF-8?q?=c3=a9?= =?utf-8?b?w6k=?=", "éé"},
		{"space between words vanishes", "=?utf-8?q?a?= \t =?utf-8?q?b?=", "ab"},
		{"space before text stays", "=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"},
		{"no space between words", "=?utf-8?q?a?==?utf-8?q?b?=", "ab"},
		{"glued to text", "x=?utf-8?q?=C3=A9?=y", "xéy"},
		{"language", "=?utf-8*en?q?hi?=", "hi"},
		{"character cut in two", "=?utf-8?q?=E2=82?= =?utf-8?q?=AC?=", "€"},
		{"base64 cut inside a group", "=?utf-8?b?SGVsb?= =?utf-8?b?G8=?=", "Hello"},
		{"padding missing", "=?utf-8?b?SGVsbG8?=", "Hello"},
		{"spaces inside", "=?utf-8?q?hello my friend?=", "hello my friend"},
		{"question mark inside", "=?utf-8?q?what?=3D_is?=", "what?= is"},
		{"wrong character set", "=?us-ascii?q?caf=E9?=", "café"},
		{"unknown character set", "=?x-what?q?caf=C3=A9?=", "café"},
		{"two character sets", "=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A9?=", "éé"},
		{"UTF-7", "=?utf-7?q?+AOQ-h?=", "äh"},
		{"gb2312 is gb18030", "=?gb2312?b?xOO6ww==?=", "你好"},
		{"iso-2022-jp", "=?iso-2022-jp?b?GyRCJDMkcxsoQg==?=", "こん"},
		{"not ended", "=?utf-8?q?abc", "=?utf-8?q?abc"},
		{"not a word", "a =? b ?= c", "a =? b ?= c"},
		{"unknown encoding", "=?utf-8?x?abc?=", "=?utf-8?x?abc?="},
		{"line ends are not brought in", "=?utf-8?q?a=0D=0ABcc:_x?=", "a  Bcc: x"},
		{"NUL", "=?utf-8?q?a=00b?=", "ab"},
		{"raw UTF-8", "héllo", "héllo"},
		{"raw 8-bit", "h\xe9llo", "héllo"},
		{"raw 8-bit beside a word", "h\xe9 =?utf-8?q?=C3=A9?=", "hé é"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decodeWords(c.in, ""); got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	h := parse(t, "SUBJECT : a\r\n\t b \r\nX-Raw: =?utf-8?q?x?=\r\nsubject: second\r\n"+
		"Content-Type: text/plain; charset=koi8-r\r\nX-Koi: \xd0\xd2\xc9\xd7\xc5\xd4\r\n\r\n").Header
	want := []Field{{"SUBJECT", "a b"}, {"X-Raw", "x"}, {"subject", "second"},
		{"Content-Type", "text/plain; charset=koi8-r"}, {"X-Koi", "привет"}}
	if diff := cmp.Diff(want, h.Fields()); diff != "" {
		t.Error(diff)
	}
	if h.First("subject") != "a b" || h.Raw("x-raw") != "=?utf-8?q?x?=" || h.Raw("Subject") != "a\t b" ||
		h.First("none") != "" {
		t.Errorf("%q %q %q", h.First("subject"), h.Raw("x-raw"), h.Raw("Subject"))
	}
}

func TestParseAddresses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"bare", "a@b.example", "<a@b.example>"},
		{"name", "John Doe <J.Doe@B.example>", "John Doe<J.Doe@B.example>"},
		{"quoted name", `"Doe, \"J\"" <a@b>`, `Doe, "J"<a@b>`},
		{"encoded name", "=?utf-8?q?J=C3=BCrgen?= M <a@b>", "Jürgen M<a@b>"},
		{"encoded name in quotes", `"=?utf-8?q?J=C3=BCrgen?=" <a@b>`, "Jürgen<a@b>"},
		{"comma inside an encoded word", "=?utf-8?q?Doe,_J?= <a@b>", "Doe, J<a@b>"},
		{"comma without quotes", "Doe, John <a@b>, c@d", "Doe, John<a@b> <c@d>"},
		{"list", "a@b, X <c@d>,, e@f", "<a@b> X<c@d> <e@f>"},
		{"semicolons", "a@b; c@d", "<a@b> <c@d>"},
		{"group", "Friends: a@b, X <c@d>;, e@f", "<a@b> X<c@d> <e@f>"},
		{"nobody", "undisclosed-recipients:;", ""},
		{"nobody, other words", "Undisclosed recipients: ;", ""},
		{"comment as name", "a@b (John Doe)", "John Doe<a@b>"},
		{"comments everywhere", "(x) John (y) <(z)a@b>", "John<a@b>"},
		{"route", "<@r1,@r2:a@b>", "<a@b>"},
		{"blanks in the address", "John <a . b @ c . d>", "John<a.b@c.d>"},
		{"quoted local part", `"a b"@c.d`, `<"a b"@c.d>`},
		{"bracket not closed", "John <a@b", "John<a@b>"},
		{"brackets doubled", "John <<a@b>>", "John<a@b>"},
		{"address before brackets", "a@b <>", "a@b<a@b>"},
		{"local user", "root", "<root>"},
		{"name only", "Mail Delivery System", "Mail Delivery System<>"},
		{"address among words", "contact me at a@b please", "contact me at please<a@b>"},
		{"mailto", "<mailto:a@b>", "<a@b>"},
		{"mailto with a subject", "<mailto:a@b?subject=index%20list>", "<a@b>"},
		{"all in one encoded word", "=?utf-8?q?J=C3=BCrgen_<a@b>?=", "Jürgen<a@b>"},
		{"single quotes", "'John' <a@b>", "John<a@b>"},
		{"raw 8-bit", "J\xfcrgen <a@b>", "Jürgen<a@b>"},
		{"UTF-8 address", "<jürgen@münchen.example>", "<jürgen@münchen.example>"},
		{"empty", " , ;", ""},
		{"commas missing", "John <a@b> Jane <c@d>", "John<a@b> Jane<c@d>"},
		{"blanks for commas", "a@b c@d", "<a@b> <c@d>"},
		{"stray quote", `"John <a@b>`, "John<a@b>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, a := range parseAddresses(c.in, "") {
				got = append(got, fmt.Sprintf("%s<%s>", a.Name, a.Address))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%q gives %q, want %q", c.in, s, c.want)
			}
		})
	}
}

func TestParseDate(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"RFC 5322", "Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"},
		{"no weekday, no seconds", "21 Nov 1997 09:55 -0600", "1997-11-21T15:55:00Z"},
		{"two digits", "Wed, 11 Feb 98 11:51 CST", "1998-02-11T17:51:00Z"},
		{"two digits of this century", "1 Jan 24 00:00:00 GMT", "2024-01-01T00:00:00Z"},
		{"three digits", "1 Jan 124 00:00:00 GMT", "2024-01-01T00:00:00Z"},
		{"comment", "Thu, 7 Oct 1994 16:15:05 -0700 (PDT)", "1994-10-07T23:15:05Z"},
		{"comment inside", "Thu, 7 (x(y)) Oct 1994 16:15:05 +0000", "1994-10-07T16:15:05Z"},
		{"short zone", "Mon, 21 Aug 95 13:30:57 -600", "1995-08-21T19:30:57Z"},
		{"zone with colon", "21 Nov 1997 09:55:06 +05:30", "1997-11-21T04:25:06Z"},
		{"GMT+2", "21 Nov 1997 09:55:06 GMT+0200", "1997-11-21T07:55:06Z"},
		{"zone with its summer time", "10 Jul 1997 14:53:31 EST5EDT", "1997-07-10T19:53:31Z"},
		{"a Received field", "by 2002:aa7::8 with SMTP id b16; Mon, 10 Oct 2022 10:31:15 -0700 (PDT)",
			"2022-10-10T17:31:15Z"},
		{"no zone", "21 Nov 1997 09:55:06", "1997-11-21T09:55:06Z"},
		{"military zone", "21 Nov 1997 09:55:06 A", "1997-11-21T09:55:06Z"},
		{"RFC 3339", "2024-02-29T12:00:00+01:00", "2024-02-29T11:00:00Z"},
		{"SQL", "2024-02-29 12:00:00", "2024-02-29T12:00:00Z"},
		{"ctime", "Sat Nov  3 10:20:30 2018", "2018-11-03T10:20:30Z"},
		{"ctime with zone", "Sat Nov  3 10:20:30 EDT 2018", "2018-11-03T14:20:30Z"},
		{"dashes", "Thu, 07-Oct-1994 16:15:05 GMT", "1994-10-07T16:15:05Z"},
		{"afternoon", "3 Nov 2018 10:20:30 PM +0000", "2018-11-03T22:20:30Z"},
		{"leap second", "31 Dec 2016 23:59:60 +0000", "2017-01-01T00:00:00Z"},
		{"long month", "3 November 2018 10:20:30 +0000", "2018-11-03T10:20:30Z"},
		{"31 February", "31 Feb 2018 10:20:30 +0000", ""},
		{"another language", "mer., 3 août 2018 10:20:30", ""},
		{"nonsense", "yesterday", ""},
		{"hour 77", "3 Nov 2018 77:20:30", ""},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if d := parseDate(c.in); !d.IsZero() {
				got = d.UTC().Format(time.RFC3339)
			}
			if got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestMessageIDs(t *testing.T) {
	many := ""
	for i := range 150 {
		many += fmt.Sprintf("<%d@x> ", i)
	}
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"comment", "<1234 @ local(blah) .machine.example>", []string{"1234@local.machine.example"}},
		{"parentheses", "<a(b)@c.example>", []string{"a(b)@c.example"}},
		{"one", "<a@b>", []string{"a@b"}},
		{"several, one twice", "<a@b> <c@d>\t<a@b>", []string{"a@b", "c@d"}},
		{"glued and with commas", "<a@b><c@d>,<e@f>", []string{"a@b", "c@d", "e@f"}},
		{"no brackets", "a@b c@d", []string{"a@b", "c@d"}},
		{"among words", "Your message of Tue <a@b>", []string{"a@b"}},
		{"bracket not closed", "<a@b <c@d>", []string{"a@b", "c@d"}},
		{"fold inside", "<a@ b>", []string{"a@b"}},
		{"empty ones", "<> < >", nil},
		{"words alone", "no id here", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, messageIDs(c.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := messageIDs(many); len(got) != maxIDs || got[0] != "0@x" || got[1] != "51@x" || got[99] != "149@x" {
		t.Errorf("%d ids: %v", len(got), got)
	}
}
