package pdf

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// hostile are documents that are made to take forever, or all memory. They are made once: bombs take long to make.
var hostile = sync.OnceValue(makeHostile)

func makeHostile() []testCase {
	hello := "BT /F1 12 Tf 72 700 Td (Hello) Tj ET"
	deep := strings.Repeat("[", 100_000)
	zeros := zlibbed(strings.Repeat("\x00", 20<<20))
	bomb := func(entries string) string { return streamOf("/Filter/FlateDecode"+entries, zeros) }
	twice := func(n int) string {
		return streamOf("/Subtype/Form/Resources 5 0 R", strings.Repeat(fmt.Sprintf("/X%d Do ", n), 200))
	}
	var many, objects strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&many, "%d 0 obj 1 endobj\n", i+100)
	}
	for i := range 30_000 {
		fmt.Fprintf(&objects, "%d 0 ", i+100)
	}
	chain := streamOf("/Filter["+strings.Repeat("/FlateDecode ", 1000)+"]", zlibbed(hello))
	return []testCase{
		{"pages in a circle", onePage(hello).with(2, "<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]>>").bytes(), "Hello"},
		{"pages without end", onePage(hello).with(2, "<</Kids[<</Kids[2 0 R]>> 3 0 R]>>").bytes(), "Hello"},
		{"references in a circle", onePage(hello).with(5, "6 0 R").with(6, "5 0 R").bytes(), ""},
		{"contents of themselves", onePage(hello).with(4, "[4 0 R 4 0 R]").bytes(), ""},
		{"form in itself", onePage("/X1 Do "+hello).with(20, twice(1)).bytes(), "Hello"},
		{"forms in forms", onePage("/X1 Do "+hello).with(20, twice(2)).with(21, twice(1)).bytes(), "Hello"},
		{"a thousand filters", onePage("").with(4, chain).bytes(), ""},
		{"length of itself", onePage(hello).with(4, "<</Length 4 0 R>>stream\n"+hello+"\nendstream").bytes(), "Hello"},
		{"huge numbers", onePage("99999999999999999999999 0 0 1e9 99999999999999999 -9 cm 1 99999999999999999999 Td " +
			hello + " BT 99999999999999999999999 0 0 99999999999999999999999 9 9 Tm (x) Tj ET").bytes(), "x Hello"},
		{"huge length", onePage("").with(4, "<</Length 99999999999>>stream\n"+hello+"\nendstream").bytes(), "Hello"},
		{"deep arrays", onePage(deep + hello).bytes(), ""},
		{"deep dictionaries", onePage(hello).with(6, strings.Repeat("<</A", 100_000)).bytes(), "Hello"},
		{"open strings", onePage(hello).with(6, strings.Repeat("7 0 obj (", 20_000)).bytes(), "Hello"},
		{"a backslash at the end", append(onePage(hello).bytes(), `9 0 obj<</A(\`...), "Hello"},
		{"a trailer's backslash at the end", append(onePage(hello).bytes(), `trailer<</A(\`...), "Hello"},
		{"bomb", onePage("").with(4, bomb("")).bytes(), ""},
		{"bombs of objects", onePage(hello).with(6, bomb("/Type/ObjStm/N 99999999/First 20971520")).with(7,
			bomb("/Type/ObjStm/N 5/First 9")).bytes(), "Hello"},
		{"objects without number", onePage(hello).with(6, deflated("/Type/ObjStm/N 30000/First 200000",
			objects.String())).bytes(), "Hello"},
		{"an object stream of itself", onePage(hello).with(6, deflated("/Type/ObjStm/N 1/First 4", "6 0 <<>>")).bytes(),
			"Hello"},
		{"many objects", append(onePage(hello).bytes(), many.String()...), "Hello"},
		{"numbers without end", onePage(hello).with(6, "["+strings.Repeat("1 ", 1<<19)+"]").bytes(), "Hello"},
		{"wide predictor", onePage("").with(4, deflated("/DecodeParms<</Predictor 12/Columns 99999999/Colors 99>>",
			hello)).bytes(), ""},
		{"wide map", onePage(hello, "<</Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R>>").with(6,
			streamOf("", "beginbfrange <00000000><FFFFFFFF><0041> endbfrange")).bytes(), "䢦沭°"},
		{"wide widths", onePage(hello, "<</Subtype/Type0/DescendantFonts[<</W[0 2000000000 1 0 2000000000 2]>>]>>").bytes(), ""},
	}
}

// bounded runs f, and fails where it takes more memory than a reader may.
func bounded(t *testing.T, memory uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > memory {
		t.Errorf("allocated %d MB", got>>20)
	}
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, c := range hostile() {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			bounded(t, 300<<20, func() {
				bud := bound.New(ctx, budget)
				got, _, err := Text(c.doc, bud, 1<<20)
				if bud.Over() {
					t.Error("took too long")
				}
				if err != nil && err != ErrFormat {
					t.Errorf("Text: %v", err)
				}
				if c.want != "" && got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		})
	}
}

// TestPrefixes reads every beginning of each document: none may panic, and all must end. What two documents begin with
// is read once.
func TestPrefixes(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	all := documents()
	for i, c := range all {
		for n := beginningsRead(all[:i], c.doc); n < len(c.doc); n++ {
			Text(c.doc[:n], bound.New(t.Context(), budget), 1<<20)
		}
	}
}

// beginningsRead is how many beginnings of a document, from the empty one on, are beginnings of one before it.
func beginningsRead(before []testCase, doc []byte) (n int) {
	for _, b := range before {
		same := 0
		for same < min(len(b.doc), len(doc)) && b.doc[same] == doc[same] {
			same++
		}
		n = max(n, min(same+1, len(b.doc))) // a whole document is no beginning
	}
	return n
}

func TestNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		b := make([]byte, 2000)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		doc := bytes.Join([][]byte{[]byte("%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> 2 0 obj <</Contents 3 0 " +
			"R>> 3 0 obj <<>>stream\n"), b, []byte("\nendstream")}, nil)
		Text(doc, bound.New(t.Context(), budget), 1<<20)
		Text(append([]byte("%PDF-"), b...), bound.New(t.Context(), budget), 1<<20)
	}
}

// TestTimeIsKept gives a document that would take hours a moment.
func TestTimeIsKept(t *testing.T) {
	wide := streamOf("/Subtype/Form/Resources 5 0 R", strings.Repeat("/X2 Do ", 200_000))
	doc := onePage("/X1 Do").with(20, wide).with(21, deflated("/Subtype/Form", strings.Repeat(" ", 8<<20))).bytes()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, whole, _ := Text(doc, bound.New(ctx, budget), 1<<20); whole {
		t.Error("read it all")
	}
	if d := time.Since(start); d > 10*time.Second { // of hours; the machine may be busy
		t.Errorf("took %v", d)
	}
}

// TestEncrypted reads documents that another program encrypted: with an empty password, which is how "no printing" is
// said, and with one.
func TestEncrypted(t *testing.T) {
	files, err := filepath.Glob("testdata/*.pdf")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := Text(b, bound.New(t.Context(), budget), 1<<20)
			if strings.Contains(name, "password") {
				if err != ErrPassword || got != "" {
					t.Errorf("got %q, %v", got, err)
				}
				return
			}
			if err != nil || got != "Hello, world" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
