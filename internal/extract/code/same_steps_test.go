package code

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// The tests here hold each quick step against a plain one on random text.

// scraps are what the text is made of: what the steps must tell apart.
var scraps = strings.Split("a|B|word|Word|0|7|123|4481| | |  |\n|\n\n|\t|.|. "+
	"|,|:|=|!|?;|_|-|(|%|5%|<|>|\"|'|=\"|='|Mr.|code|kod|Verification|"+
	"код|Код|вход|подтверждения|Ж|«|…|é|ß|ã|Ⱥ|ς|κωδικός|رمز|التحقق|كة|קוד|\u05b0|।|कोड|सत्यापन|१२|验证码|您|。|：|１|年|ー|ッ|コード|인증번호|ㅤ|\u3000|กค|รหัสยืนยัน|您的|登录|分|分钟|下4桁|분 내|パスワード|ログイン|ァ・|"+
	"\u200b|\u00ad|\u0301|\u00a0|\u2028|ﾠ|ꯀ|𝟙|😀|\xff|\xc3|\xe5\xa5|\xe0\x80\x80|\xed\xa0\x80", "|")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	from := r.IntN(len(scraps))
	for range r.IntN(40) {
		if r.IntN(3) == 0 {
			from = r.IntN(len(scraps))
		}
		b.WriteString(scraps[min(len(scraps)-1, from+r.IntN(4))])
	}
	return b.String()
}

// plainFold folds character by character.
func plainFold(s string, lineEnd gap, size int) string {
	f := folder{max: size, fold: foldTable()}
	for _, r := range s {
		switch {
		case f.full():
		case r > ' ' && r < 0x7f:
			f.flush()
			f.buf = append(f.buf, byte(r))
		case r < utf8.RuneSelf:
			f.blank(byte(r), lineEnd)
		default:
			f.rune(r)
		}
	}
	return string(f.buf)
}

func foldAll(s string, lineEnd gap, size int) string {
	f := folder{max: size, fold: foldTable()}
	f.text(s, lineEnd)
	return string(f.buf)
}

func TestSameFold(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 1))
	high := func(c rune) rune {
		if c > ' ' && c < utf8.RuneSelf {
			return 'ж'
		}
		return c
	}
	for range 20000 {
		s := randomText(r)
		if got, want := foldAll(s, gapLine, maxText), plainFold(s, gapLine, maxText); got != want {
			t.Fatalf("%q is folded to %q, not %q", s, got, want)
		}
		s = strings.Map(high, s) // ASCII is only bounded roughly
		size := r.IntN(80)
		if got, want := foldAll(s, gapSpace, size), plainFold(s, gapSpace, size); got != want {
			t.Fatalf("%q is folded to %q up to %d, not %q", s, got, size, want)
		}
	}
	for c := rune(1); c <= 0x20000; c++ {
		s := "я" + strings.Repeat(string(c), 3) + "я "
		if got, want := foldAll(s, gapLine, maxText), plainFold(s, gapLine, maxText); got != want {
			t.Fatalf("%q is folded to %q, not %q", s, got, want)
		}
	}
}

// plainAdvance counts character by character.
func (c *counter) plainAdvance(to int) ticks {
	from := c.at.pos()
	i := from
	for i < to {
		switch b := c.text[i]; {
		case b >= utf8.RuneSelf:
			i += c.rune(i)
			continue
		case isLetter(b):
			c.letter()
			c.digits = 0
		case isDigit(b):
			c.letter()
			if c.digits++; c.digits == 3 {
				c.at.marks += oneNum
			}
		default:
			c.digits, c.inWord = 0, false
			c.mark(i)
		}
		i++
	}
	c.at.way += uint64(i-from) * oneByte
	return c.at
}

func TestSameCount(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := []byte(foldAll(randomText(r), gapLine, maxText))
		a, b := counter{text: text}, counter{text: text}
		for i := range len(text) + 1 {
			if i < len(text) && (!utf8.RuneStart(text[i]) || r.IntN(4) > 0) {
				continue
			}
			if got, want := a.advance(i), b.plainAdvance(i); got != want || a.inWord != b.inWord ||
				a.digits != b.digits {
				t.Fatalf("up to %d of %q: %+v, not %+v", i, text, a, b)
			}
		}
	}
}

func TestSameLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 3))
	for range 20000 {
		text := []byte(foldAll(randomText(r), gapLine, maxText))
		got, want := findLabels(nil, text), plainLabels(text)
		if len(got) != len(want) {
			t.Fatalf("in %q are %+v, not %+v", text, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("in %q is %+v, not %+v", text, got[i], want[i])
			}
		}
	}
}

func TestSamePlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 4))
	for range 5000 {
		s := randomText(r)
		text := []byte(s)
		for i := range len(text) + 1 {
			want := i
			for want < len(text) && !isAlnum(text[want]) {
				want++
			}
			if got := nextAlnum(text, i); got != want {
				t.Fatalf("a letter of %q from %d is at %d, not %d", s, i, want, got)
			}
			if got, want := lastLineEnd(text[:i]), strings.LastIndexByte(s[:i], '\n'); got != want {
				t.Fatalf("the last line end of %q is at %d, not %d", s[:i], want, got)
			}
		}
	}
}

func TestSameCharacters(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		text := []byte(string(r) + "a")
		size := len(text) - 1
		if joins := lexicon.ScriptOf(r) == lexicon.Spaced; isWordBefore(text, size) != joins {
			t.Errorf("%U joins words: %v", r, joins)
		}
		if isWordRune(r) != isWordBeyond(r) {
			t.Errorf("%U is a letter or digit: %v", r, isWordBeyond(r))
		}
	}
}
