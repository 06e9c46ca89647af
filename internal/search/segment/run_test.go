package segment

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestRunsArePassedOver: what nearly every mail has is excluded run by run, and the answer is that of looking at each.
func TestRunsArePassedOver(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(3, 9))
	const n = 3*groupDocs + 77
	docs := model{}
	for seq := int64(1); seq <= n; seq++ {
		if seq > groupDocs && r.IntN(2000) == 0 {
			continue // no such mail
		}
		tokens := text(0, "every")
		if r.IntN(500) > 0 {
			tokens = append(tokens, text(uint8(r.IntN(2)), "most")...)
		}
		if r.IntN(300) == 0 {
			tokens = append(tokens, text(1, "few")...)
		}
		if r.IntN(400) > 0 {
			tokens = append(tokens, text(2, "sender")...)
		}
		if r.IntN(2) == 0 {
			tokens = append(tokens, text(3, "sender")...)
		}
		docs[seq] = tokens
	}
	whole := []kept{build(t, ID{1, 1}, docs)}
	newer, older := model{}, model{}
	for seq, tokens := range docs {
		if seq%3 == 0 {
			newer[seq] = tokens
		} else {
			older[seq] = tokens
		}
	}
	mixed := []kept{build(t, ID{1, 1}, older), build(t, ID{1, 2}, newer)}
	kinds := map[string][]kept{"one segment": whole, "two": mixed, "merged": {merge(t, ID{1, 3}, mixed, nil)}}
	for name, q := range map[string]Query{
		"one word":       And{Word(0, "every"), Not{Word(0, "most")}},
		"only excluded":  Not{Word(0, "most")},
		"in a field":     And{Word(0, "every"), Not{Word(1, "most")}},
		"everything":     And{Word(0, "every"), Not{Word(0, "every")}},
		"alternatives":   And{Word(0, "every"), Not{Word(0, "most", "few")}},
		"either":         And{Word(0, "every"), Not{Or{Word(0, "few"), Word(0, "most")}}},
		"sender":         And{Word(0, "every"), Not{Word(1<<2, "sender")}},
		"sender anyhow":  And{Word(0, "every"), Not{Word(0, "sender")}},
		"sender quoted":  And{Word(0, "every"), Not{Word(1<<3, "sender")}},
		"without two":    And{Not{Word(0, "sender")}, Not{Word(0, "most")}},
		"two":            And{Word(0, "every"), Not{Word(0, "few")}, Not{Word(0, "most")}},
		"rare candidate": And{Word(0, "few"), Not{Word(0, "most")}},
		"nested":         Or{And{Word(0, "every"), Not{Word(0, "most")}}, And{Word(0, "few"), Not{Word(1, "most")}}},
		"twice":          And{Not{And{Word(0, "every"), Not{Word(0, "most")}}}, Not{Word(0, "few")}},
	} {
		for kind, segments := range kinds {
			t.Run(name+", "+kind, func(t *testing.T) {
				want := docs.search(q, n, 1)
				got := search(t, segments, q, Options{})
				if !slices.Equal(got, want) {
					t.Errorf("%d hits, want %d", len(got), len(want))
				}
				got, want = search(t, segments, q, Options{From: n / 2, Until: n / 3}), docs.search(q, n/2, n/3)
				if !slices.Equal(got, want) {
					t.Errorf("%d hits of a part, want %d", len(got), len(want))
				}
			})
		}
	}
}

// TestLacks: what hardly a mail lacks is excluded in a few steps, however many mails have it.
func TestLacks(t *testing.T) {
	const n = 5 * groupDocs
	docs := model{}
	for seq := int64(1); seq <= n; seq++ {
		tokens := append(text(2, "sender"), text(3, "every")...)
		switch {
		case seq%10_000 == 0:
		case seq%9_000 == 0:
			tokens = append(tokens, text(0, "most")...)
		default:
			tokens = append(tokens, text(3, "most")...)
		}
		docs[2*seq] = tokens // every other place is that of a mail that is gone
	}
	parts := []kept{build(t, ID{1, 1}, docs)}
	for i, segments := range [][]kept{parts, {merge(t, ID{1, 2}, parts,
		func(seq int64) bool { return seq%1000 == 0 })}} {
		for _, c := range []struct {
			name  string
			q     Query
			found int
		}{
			{"a word", And{Word(0, "every"), Not{Word(0, "most")}}, 4},
			{"in a field", And{Word(0, "every"), Not{Word(1<<3, "most")}}, 8},
			{"all", And{Word(0, "every"), Not{Word(0, "every")}}, 0},
			{"one sender", And{Word(0, "every"), Not{Word(1<<2, "sender")}}, 0},
		} {
			found := 0
			res, err := Eval(t.Context(), readers(segments), c.q, Options{Budget: 60},
				func(Hit) bool { found++; return true })
			if i > 0 {
				c.found = 0 // those were dropped
			}
			if err != nil || res.Next != 0 || found != c.found {
				t.Errorf("%d: %s: %d found, %+v, %v", i, c.name, found, res, err)
			}
		}
	}
}

// TestOlderVersion: a segment that was written before there were such runs is read as ever, and has them once it was
// merged.
func TestOlderVersion(t *testing.T) {
	var old struct {
		Meta   Meta
		Blocks map[int][]byte
	}
	b, err := os.ReadFile("testdata/version1.json") // 1,200 mails with "every", and all but each hundredth with "most"
	if err == nil {
		err = json.Unmarshal(b, &old)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := keep(ID{1, 1}, old.Meta, &rows{blocks: old.Blocks})
	want := []int64{1200, 1100, 1000, 900, 800, 700, 600, 500, 400, 300, 200, 100}
	for _, s := range []kept{s, merge(t, ID{1, 2}, []kept{s}, nil)} {
		if got := search(t, []kept{s}, And{Word(0, "every"), Not{Word(0, "most")}}, Options{}); !slices.Equal(got,
			want) {
			t.Errorf("found %v", got)
		}
	}
}
