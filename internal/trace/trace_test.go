package trace

import (
	"context"
	"log/slog"
	"testing"
)

func TestParse(t *testing.T) {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for _, row := range []struct {
		name, header string
		want         string // empty: it is none
	}{
		{"sampled", "00-" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "-01"},
		{"not sampled", "00-" + trace + "-" + span + "-00", "00-" + trace + "-" + span + "-00"},
		{"other flags", "00-" + trace + "-" + span + "-03", "00-" + trace + "-" + span + "-01"},
		{"a later version", "01-" + trace + "-" + span + "-01-more", "00-" + trace + "-" + span + "-01"},
		{"more in this version", "00-" + trace + "-" + span + "-01-more", ""},
		{"version ff", "ff-" + trace + "-" + span + "-01", ""},
		{"nothing", "", ""},
		{"short", "00-" + trace[1:] + "-" + span + "-01", ""},
		{"capitals", "00-0AF7651916CD43DD8448EB211C80319C-" + span + "-01", ""},
		{"no digits", "00-" + trace + "-b7ad6b716920333x-01", ""},
		{"zero trace", "00-00000000000000000000000000000000-" + span + "-01", ""},
		{"zero span", "00-" + trace + "-0000000000000000-01", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, ok := Parse(row.header)
			if ok != (row.want != "") || ok && p.String() != row.want {
				t.Errorf("%v, %v", p, ok)
			}
		})
	}
}

func newTracer(t *testing.T, ratio float64) *Tracer {
	t.Helper()
	tr, err := New(Options{Endpoint: "http://127.0.0.1:1", Ratio: ratio, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// What is off costs no allocation.
func TestOff(t *testing.T) {
	var off *Tracer
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		in, root := off.Root(ctx, "root", Server, Place{})
		in, span := off.Start(in, "span")
		off.Keep(in, [16]byte{1})
		_ = off.Recall(in, [16]byte{1})
		span.Text("key", "value")
		span.Number("key", 1)
		span.EndWith(nil)
		root.End()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSampling(t *testing.T) {
	ctx := context.Background()
	sampled, _ := Parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	refused := sampled
	refused.Sampled = false
	for _, row := range []struct {
		name   string
		ratio  float64
		caller Place
		want   bool
	}{
		{"all", 1, Place{}, true}, {"none", 0, Place{}, false},
		{"the caller wants it", 0, sampled, true}, {"the caller does not", 1, refused, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr := newTracer(t, row.ratio)
			in, span := tr.Root(ctx, "root", Server, row.caller)
			_, inner := tr.Start(in, "inner")
			if (span != nil) != row.want || (inner != nil) != row.want {
				t.Errorf("root %v, inner %v", span, inner)
			}
		})
	}
}

// A full queue drops spans and never waits, and only the newest messages are remembered.
func TestBounds(t *testing.T) {
	tr := newTracer(t, 1)
	ctx, root := tr.Root(context.Background(), "root", Server, Place{})
	for i := range maxWaiting + 3 {
		_, s := tr.Start(ctx, "span")
		s.End()
		tr.Keep(ctx, [16]byte{byte(i), byte(i >> 8), 1})
	}
	if _, dropped := tr.Counts(); dropped != 3 {
		t.Errorf("%d dropped", dropped)
	}
	back := func(i int) *Span { return From(tr.Recall(context.Background(), [16]byte{byte(i), byte(i >> 8), 1})) }
	if back(0) != nil || back(3) == nil || back(3).Place() != root.Place() || len(tr.known) > maxKnown {
		t.Errorf("first %v, fourth %v, %d known", back(0), back(3), len(tr.known))
	}
}
