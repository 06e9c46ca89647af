package transport

import (
	"bufio"
	"bytes"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode"
	"unicode/utf8"
)

func readString(s string) (reply, error) {
	return readReply(bufio.NewReaderSize(strings.NewReader(s), maxReplyLine+2), nil)
}

func TestReply(t *testing.T) {
	long := strings.Repeat("x", 400)
	for _, tt := range []struct {
		name, in string
		want     reply
		err      bool
	}{
		{"plain", "250 OK\r\n", reply{250, "", "OK"}, false},
		{"bare", "250\r\n", reply{250, "", ""}, false},
		{"line feed alone", "250 OK\n", reply{250, "", "OK"}, false},
		{"enhanced", "550 5.1.1 no such user\r\n", reply{550, "5.1.1", "no such user"}, false},
		{"enhanced alone", "250 2.0.0\r\n", reply{250, "2.0.0", ""}, false},
		{"enhanced of three digits", "550 5.7.606 blocked\r\n", reply{550, "5.7.606", "blocked"}, false},
		{"enhanced of another class", "550 4.1.1 x\r\n", reply{550, "", "4.1.1 x"}, false},
		{"address that is no code", "550 5.1.1.1 x\r\n", reply{550, "", "5.1.1.1 x"}, false},
		{"number that is no code", "550 5.1234.1 x\r\n", reply{550, "", "5.1234.1 x"}, false},
		{"many lines", "550-5.7.1 one\r\n550-5.7.1 two\r\n550 5.7.1 three\r\n", reply{550, "5.7.1", "one two three"},
			false},
		{"empty lines", "550-\r\n550- x\r\n550 \r\n", reply{550, "", "x"}, false},
		{"codes that differ", "250-one\r\n550 two\r\n", reply{550, "", "one two"}, false},
		{"long text", "550-" + long + "\r\n550 " + long + "\r\n", reply{550, "", long + " " + long[:99]}, false},
		{"no digits", "2x0 OK\r\n", reply{}, true},
		{"code too low", "150 OK\r\n", reply{}, true},
		{"code too high", "650 OK\r\n", reply{}, true},
		{"other separator", "250_OK\r\n", reply{}, true},
		{"short", "25\r\n", reply{}, true},
		{"empty", "\r\n", reply{}, true},
		{"cut", "250 O", reply{}, true},
		{"cut between lines", "250-O\r\n", reply{}, true},
		{"long line", "250 " + strings.Repeat("x", maxReplyLine) + "\r\n", reply{}, true},
		{"as long as may be", "250 " + strings.Repeat("x", maxReplyLine-4) + "\r\n",
			reply{250, "", strings.Repeat("x", maxText)}, false},
		{"as many lines as may be", strings.Repeat("250-\r\n", maxReplyLines-1) + "250 x\r\n", reply{250, "", "x"},
			false},
		{"too many lines", strings.Repeat("250-\r\n", maxReplyLines) + "250 x\r\n", reply{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if r, err := readString(tt.in); r != tt.want || (err != nil) != tt.err {
				t.Errorf("%+v, %v, want %+v", r, err, tt.want)
			}
		})
	}
}

func FuzzReply(f *testing.F) {
	for _, s := range []string{"250 OK\r\n", "550-5.1.1 a\r\n550 5.1.1 b\r\n", "421\n",
		"250-\xff\x00\r\n250 \u202e\u2028x\r\n", "5.1.1", "554 5.7.1 " + strings.Repeat("ü", 400) + "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := readString(s)
		if err != nil {
			if r != (reply{}) {
				t.Errorf("%+v with %v", r, err)
			}
			return
		}
		if r.code < 200 || r.code > 599 || len(r.text) > maxText || !utf8.ValidString(r.text) ||
			strings.ContainsFunc(r.text, unicode.IsControl) {
			t.Errorf("%+v", r)
		}
		if r.enhanced != "" && int(r.enhanced[0]-'0') > 5 {
			t.Errorf("%+v", r)
		}
		again, err := readReply(bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(s)), maxReplyLine+2), nil)
		if err != nil || again != r {
			t.Errorf("in pieces %+v, %v", again, err)
		}
	})
}

// stuffed is what is sent for a message that comes in pieces of a size.
func stuffed(t testing.TB, message string, size int) string {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriterSize(&b, 16)
	d := &dotWriter{w: w}
	for rest := []byte(message); len(rest) > 0; {
		n := min(size, len(rest))
		if m, err := d.Write(rest[:n]); m != n || err != nil {
			t.Fatal(m, err)
		}
		rest = rest[n:]
	}
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	return b.String()
}

func TestDots(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ".\r\n"},
		{"plain", "a\r\nb\r\n", "a\r\nb\r\n.\r\n"},
		{"no end", "a\r\nb", "a\r\nb\r\n.\r\n"},
		{"dots", ".\r\n..\r\n.a\r\na.\r\n", "..\r\n...\r\n..a\r\na.\r\n.\r\n"},
		{"final dot inside", "a\r\n.\r\nMAIL FROM:<x>\r\n", "a\r\n..\r\nMAIL FROM:<x>\r\n.\r\n"},
		{"bare line feeds", "a\n.\nb", "a\r\n..\r\nb\r\n.\r\n"},
		{"bare returns", "a\r.\rb", "a\r\n..\r\nb\r\n.\r\n"},
		{"return at the end", "a\r", "a\r\n.\r\n"},
		{"returns", "\r\r\n\r", "\r\n\r\n\r\n.\r\n"},
		{"smuggling", "a\n.\r\nb\r\n.\nc\r\n.\rd", "a\r\n..\r\nb\r\n..\r\nc\r\n..\r\nd\r\n.\r\n"},
		{"empty lines", "\n\n\r\n\r\n", "\r\n\r\n\r\n\r\n.\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= len(tt.in)+1; size++ {
				if got := stuffed(t, tt.in, size); got != tt.want {
					t.Errorf("in pieces of %d: %q, want %q", size, got, tt.want)
				}
			}
		})
	}
}

func FuzzDots(f *testing.F) {
	for _, s := range []string{"", "a\r\n.\r\nb", "\r.\n.\r\n", "\r\n.\r", "....\n\n.."} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, message string, size int) {
		got := stuffed(t, message, max(1, size%20))
		if whole := stuffed(t, message, len(message)+1); whole != got {
			t.Fatalf("%q in one piece, %q in more", whole, got)
		}
		body, ok := strings.CutSuffix(got, ".\r\n")
		lines := strings.SplitAfter(body, "\r\n")
		if !ok || lines[len(lines)-1] != "" {
			t.Fatalf("%q has no end", got)
		}
		var back strings.Builder
		for _, line := range lines[:len(lines)-1] {
			if line == ".\r\n" || strings.ContainsAny(strings.TrimSuffix(line, "\r\n"), "\r\n") {
				t.Fatalf("%q has the line %q", got, line)
			}
			if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, "..") {
				t.Fatalf("%q has the line %q", got, line)
			}
			back.WriteString(strings.TrimPrefix(line, "."))
		}
		want := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(message)
		if want != "" && !strings.HasSuffix(want, "\r\n") {
			want += "\r\n"
		}
		if back.String() != want {
			t.Fatalf("%q comes back as %q", message, back.String())
		}
	})
}

func TestPolicy(t *testing.T) {
	day := 24 * time.Hour
	for _, tt := range []struct {
		name, in string
		want     stsPolicy
		ok       bool
	}{
		{"good", enforce, stsPolicy{stsEnforce, []string{"mx.a.example", "*.b.example"}, day}, true},
		{"line feeds, blanks, capitals", "version:STSv1\nmode:  testing \nmx: MX.A.example.\nmax_age:86400\n\n",
			stsPolicy{stsTesting, []string{"mx.a.example"}, day}, true},
		{"none without servers", "version: STSv1\nmode: none\nmax_age: 86400", stsPolicy{stsNone, nil, day}, true},
		{"unknown fields", "x: y\n" + enforce + "extra: z\nno colon\n",
			stsPolicy{stsEnforce, []string{"mx.a.example", "*.b.example"}, day}, true},
		{"twice", enforce + "mode: none\nmax_age: x\nversion: 2\n",
			stsPolicy{stsEnforce, []string{"mx.a.example", "*.b.example"}, day}, true},
		{"longest time", "version: STSv1\nmode: none\nmax_age: 9999999999", stsPolicy{stsNone, nil, maxPolicyTime},
			true},
		{"no version", "mode: none\nmax_age: 1", stsPolicy{}, false},
		{"another version", "version: STSv2\nmode: none\nmax_age: 1", stsPolicy{}, false},
		{"no mode", "version: STSv1\nmx: a\nmax_age: 1", stsPolicy{}, false},
		{"another mode", "version: STSv1\nmode: strict\nmx: a\nmax_age: 1", stsPolicy{}, false},
		{"no servers", "version: STSv1\nmode: enforce\nmax_age: 1", stsPolicy{}, false},
		{"no time", "version: STSv1\nmode: none", stsPolicy{}, false},
		{"negative time", "version: STSv1\nmode: none\nmax_age: -1", stsPolicy{}, false},
		{"endless time", "version: STSv1\nmode: none\nmax_age: 99999999999999999999", stsPolicy{}, false},
		{"empty", "", stsPolicy{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if p, ok := parsePolicy(tt.in); !reflect.DeepEqual(p, tt.want) || ok != tt.ok {
				t.Errorf("%+v, %v", p, ok)
			}
		})
	}
}

func TestPolicyAllows(t *testing.T) {
	p := stsPolicy{hosts: []string{"mx.a.example", "*.b.example", "*", "*c.example"}}
	for host, want := range map[string]bool{
		"mx.a.example": true, "x.b.example": true, "b.example": false, "x.y.b.example": false, ".b.example": false,
		"mx2.a.example": false,
		"x":             false, "xc.example": false, "": false,
	} {
		if p.allows(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add(enforce)
	f.Add("version: STSv1\nmode: none\nmax_age: 1")
	f.Add(strings.Repeat("mx: x\n", 200) + enforce)
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := parsePolicy(s)
		if !ok && !reflect.DeepEqual(p, stsPolicy{}) {
			t.Errorf("%+v", p)
		}
		if len(p.hosts) > maxPatterns || p.maxAge < 0 || p.maxAge > maxPolicyTime ||
			ok && p.mode != stsNone && len(p.hosts) == 0 {
			t.Errorf("%+v", p)
		}
		for _, h := range p.hosts {
			if !strings.HasPrefix(h, "*") && !p.allows(h) {
				t.Errorf("%q is not allowed", h)
			}
		}
	})
}

func TestPolicyID(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{"v=STSv1; id=20260101T000000;"}, "20260101T000000"},
		{[]string{"v=STSv1 ;id=a"}, "a"},
		{[]string{"other", "v=STSv1; x=y; id = b ; id=c"}, "b"},
		{[]string{"v=STSv1; id=a", "v=STSv1; id=b"}, ""},
		{[]string{"v=STSv1"}, ""},
		{[]string{"v=STSv1;"}, ""},
		{[]string{"v=STSv10; id=a"}, ""},
		{[]string{"v=STSv1; id=a-b"}, ""},
		{[]string{"v=STSv1; id=" + strings.Repeat("a", 33)}, ""},
		{nil, ""},
	} {
		if id, ok := stsID(tt.texts); ok != (tt.want != "") || ok && id != tt.want {
			t.Errorf("%q: %q, %v", tt.texts, id, ok)
		}
	}
}
