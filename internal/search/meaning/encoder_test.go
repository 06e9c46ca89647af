package meaning

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sentences are the texts that the package's own runtime was asked for.
func sentences(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func open(t testing.TB) *Encoder {
	t.Helper()
	e, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTokensAreThoseOfTheOriginal(t *testing.T) {
	data, err := os.ReadFile("testdata/tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	var want [][]int32
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for i, text := range sentences(t) {
		if got := open(t).model().tokens(text); !slices.Equal(got, want[i][:min(len(want[i]), maxTokens)]) {
			t.Errorf("%q: tokens %d, want %d", text, got, want[i])
		}
	}
}

// The vectors agree with those of the package's own runtime to 1e-3 in cosine, before and after they are rounded.
func TestVectorsAreThoseOfTheOriginal(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.f32")
	if err != nil {
		t.Fatal(err)
	}
	e := open(t)
	worst, worstRounded := 1.0, 1.0
	for i, text := range sentences(t) {
		want := make([]float32, Dims)
		for k := range want {
			want[k] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*Dims+k):]))
		}
		v := e.Vector(text)
		rounded := make([]float32, Dims)
		for k := range rounded {
			rounded[k] = float32(int8(v[head+k]))
		}
		exact, after := cosine(e.direction(text), want), cosine(rounded, want)
		if exact < 0.999 || after < 0.999 {
			t.Errorf("%q: cosine %.5f, %.5f rounded", text, exact, after)
		}
		worst, worstRounded = min(worst, exact), min(worstRounded, after)
	}
	t.Logf("worst cosine to the original %.5f, rounded to bytes %.5f", worst, worstRounded)
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestTextsThatAreHardlyTexts(t *testing.T) {
	e := open(t)
	for _, tt := range []struct {
		name, text string
		empty      bool
	}{
		{"nothing", "", true},
		{"white space", " \r\n\t\u00a0", true},
		{"one letter", "a", false},
		{"bytes that are no text", "\xff\xfe\x80", false},
		{"a cut character", "caf\xc3", false},
		{"an endless word", strings.Repeat("x", 1<<20), false},
		{"a character that folds to eighteen", strings.Repeat("\ufdfa", 5000), false},
		{"only unknown letters", strings.Repeat("漢", 5000), false},
		{"a zero byte", "a\x00b", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := e.Vector(tt.text)
			if !v.Valid() || v.Dims() != Dims {
				t.Fatalf("vector of %d dimensions, valid %t", v.Dims(), v.Valid())
			}
			if same := cosineOf(v, v); tt.empty && same != 0 || !tt.empty && math.Abs(float64(same)-1) > 1e-6 {
				t.Errorf("cosine to itself %v", same)
			}
		})
	}
}

// What follows 128 tokens makes no difference, and neither does how a text is spaced.
func TestWhatMakesNoDifference(t *testing.T) {
	e := open(t)
	long := strings.Repeat("the boat is late again. ", 60)
	for _, tt := range []struct{ name, a, b string }{
		{"more text", long, long + "dinner is ready"},
		{"line breaks", "the boat\r\n  is\tlate", "the boat is late"},
		{"space around", " late ", "late"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !slices.Equal(e.Vector(tt.a), e.Vector(tt.b)) {
				t.Error("the vectors differ")
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	e := open(t)
	texts := sentences(t)[:12]
	want, err := e.Vectors(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for i, text := range texts {
				if !slices.Equal(e.Vector(text), want[i]) {
					t.Errorf("%q: another vector", text)
				}
			}
		})
	}
	group.Wait()
}

func TestVectorsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t).Vectors(ctx, []string{"one"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestDamagedTable(t *testing.T) {
	other := slices.Clone(table)
	other[0]++
	wider := slices.Clone(table)
	wider[len(wider)-4*wide-4]++ // the length of the last bias
	for _, tt := range []struct {
		name  string
		table []byte
	}{
		{"empty", nil},
		{"other magic", other},
		{"other shape", wider},
		{"cut in the vocabulary", table[:20]},
		{"cut in the weights", table[:len(table)/2]},
		{"cut at the end", table[:len(table)-1]},
		{"with something after it", append(slices.Clone(table), 0)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := readModel(tt.table); !errors.Is(err, errTable) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Your parcel is waiting: 14:00 :)")
	f.Add("漢字 \xff ﷺ")
	f.Fuzz(func(t *testing.T, text string) {
		tokens := open(t).model().tokens(text)
		if len(tokens) > maxTokens {
			t.Errorf("%d tokens", len(tokens))
		}
		for _, id := range tokens {
			if id < 0 || int(id) >= open(t).model().embeddings.out {
				t.Errorf("token %d", id)
			}
		}
	})
}
