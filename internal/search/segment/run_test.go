package segment

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRunsArePassedOver: what nearly every mail has is excluded run by run, and the answer is that of looking at each.
func TestRunsArePassedOver(t *testing.T) {
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
		docs[seq] = tokens
	}
	segments := []kept{build(t, ID{1, 1}, docs)}
	for name, q := range map[string]Query{
		"one word":       And{Word(0, "every"), Not{Word(0, "most")}},
		"only excluded":  Not{Word(0, "most")},
		"in a field":     And{Word(0, "every"), Not{Word(1, "most")}},
		"everything":     And{Word(0, "every"), Not{Word(0, "every")}},
		"alternatives":   And{Word(0, "every"), Not{Word(0, "most", "few")}},
		"either":         And{Word(0, "every"), Not{Or{Word(0, "few"), Word(0, "most")}}},
		"two":            And{Word(0, "every"), Not{Word(0, "few")}, Not{Word(0, "most")}},
		"rare candidate": And{Word(0, "few"), Not{Word(0, "most")}},
		"nested":         Or{And{Word(0, "every"), Not{Word(0, "most")}}, And{Word(0, "few"), Not{Word(1, "most")}}},
		"twice":          And{Not{And{Word(0, "every"), Not{Word(0, "most")}}}, Not{Word(0, "few")}},
	} {
		t.Run(name, func(t *testing.T) {
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
	spent := Options{Budget: 3}
	res, err := Eval(t.Context(), readers(segments), And{Word(0, "every"), Not{Word(0, "every")}}, spent, nil)
	if err != nil || res.Next >= n-groupDocs {
		t.Errorf("three chunks decided what is above %d, %v", res.Next, err)
	}
}
