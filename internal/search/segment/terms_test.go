package segment

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Terms come in the order of their bytes, whatever bytes they begin with.
func TestTermOrder(t *testing.T) {
	choices := rand.New(rand.NewPCG(1, 2))
	alphabets := map[string]string{
		"letters and digits": "abcz019",
		"Cyrillic":           "абвяюэрстуф",
		"many scripts":       "aбあ한中éß\u0301ñθ",
		"any bytes":          "\x00\x01!#/:A`{\x7f\x80\x81\xbf\xd0\xd1\xfe\xffaz0",
	}
	for name, alphabet := range alphabets {
		t.Run(name, func(t *testing.T) {
			table := newTermTable()
			for range 3000 {
				term := make([]byte, 0, 16)
				for range 1 + choices.IntN(12) {
					term = append(term, alphabet[choices.IntN(len(alphabet))])
				}
				table.id(string(term))
			}
			sorted, _ := table.order(nil, nil)
			for i := 1; i < len(sorted); i++ {
				before, after := table.name(uint32(sorted[i-1])), table.name(uint32(sorted[i]))
				if bytes.Compare(before, after) >= 0 {
					t.Fatalf("%q comes before %q", before, after)
				}
			}
		})
	}
}
