package postgres

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wake"
)

const aNode = "ABCDEFGHIJKL"

func TestPayload(t *testing.T) {
	for _, c := range []struct {
		name string
		list []wake.Notice
		want string
	}{
		{"one", []wake.Notice{{Topic: wake.Mail, Num: 36}}, "1ABCDEFGHIJKLm10"},
		{"the deployment", []wake.Notice{{Topic: wake.Changed}}, "1ABCDEFGHIJKLc0"},
		{"everything", []wake.Notice{everything}, "1ABCDEFGHIJKL*0"},
		{"several", []wake.Notice{{Topic: wake.Queue}, {Topic: wake.Mail, Num: 9}, {Topic: wake.Mail, Num: 1},
			{Topic: wake.Mail, Num: 20}}, "1ABCDEFGHIJKLm1.8.b q0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := payloads(aNode, c.list)
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Fatal(diff)
			}
			node, list := readPayload(got[0])
			if node != aNode || len(list) != len(c.list) {
				t.Errorf("%v of %s", list, node)
			}
		})
	}
}

// What a newer node says, or nobody, is taken for everything.
func TestPayloadsThatAreNotUnderstood(t *testing.T) {
	for _, p := range []string{"", "1", "2ABCDEFGHIJKLm1", "1ABCDEFGHIJKL", "1ABCDEFGHIJKLm", "1ABCDEFGHIJKLz1",
		"1ABCDEFGHIJKLm1 ", "1ABCDEFGHIJKLm1..2",
		"1ABCDEFGHIJKLm1.ä", "1ABCDEFGHIJKLm99999999999999999999", "garbage that is long enough"} {
		if _, list := readPayload(p); !slices.Equal(list, []wake.Notice{everything}) {
			t.Errorf("%q is %v", p, list)
		}
	}
}

func TestPayloadsFit(t *testing.T) {
	var list []wake.Notice
	for i := range 10_000 {
		list = append(list, wake.Notice{Topic: []wake.Topic{wake.Mail, wake.Hooks}[i%2],
			Num: mailbox.Num(i * 1_000_003)})
	}
	list = append(list, wake.Notice{Topic: wake.Mail, Num: math.MaxInt64}, wake.Notice{Topic: wake.Mail,
		Num: math.MinInt64})
	want := make(map[wake.Notice]bool)
	for _, n := range list {
		want[n] = true
	}
	out := payloads(aNode, list)
	for _, p := range out {
		if len(p) >= 8000 {
			t.Errorf("%d bytes", len(p))
		}
		_, got := readPayload(p)
		for _, n := range got {
			if !want[n] {
				t.Fatalf("%v was not told", n)
			}
			delete(want, n)
		}
	}
	if len(want) > 0 || len(out) > 10 {
		t.Errorf("%d are missing from %d payloads", len(want), len(out))
	}
}

// FuzzPayload: anything that can reach the database can send a payload.
func FuzzPayload(f *testing.F) {
	f.Add("1ABCDEFGHIJKLm1.8.b q0")
	f.Add("1ABCDEFGHIJKL*0")
	f.Add("1ABCDEFGHIJKLm-5.z")
	f.Fuzz(func(t *testing.T, p string) {
		_, list := readPayload(p)
		if len(list) == 0 || len(list) > len(p)+1 {
			t.Fatalf("%d notices", len(list))
		}
		var again []wake.Notice
		for _, p := range payloads(aNode, list) {
			node, part := readPayload(p)
			if node != aNode || strings.Contains(p, "  ") {
				t.Fatalf("%q", p)
			}
			again = append(again, part...)
		}
		for _, n := range list {
			if !slices.Contains(again, n) {
				t.Fatalf("%v is lost", n)
			}
		}
	})
}

// reportPercentiles reports how long something took.
func reportPercentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for name, share := range map[string]float64{"p50-µs": 0.5, "p99-µs": 0.99, "max-µs": 1} {
		b.ReportMetric(float64(took[min(int(share*float64(len(took))), len(took)-1)].Microseconds()), name)
	}
}
