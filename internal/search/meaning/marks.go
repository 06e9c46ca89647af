package meaning

import "encoding/binary"

const (
	// markSize is the size of a mark: of each dimension its sign.
	markSize = Dims / 8
	// maxMarks is the most marks that a mail has. A longer text has one for several of its words.
	maxMarks = 16
	// common is the rarity below which a token says nothing by itself: "the", "and", a comma.
	common = 4.5
)

// Marks are what a text says here and there, in addition to the vector of what it says as a whole: 64 bytes for each
// place, one after the other. The vector of a mail about many things is near to no query; one of its marks is near to
// each word that fits.
type Marks []byte

// marks makes at most n of what was read closely.
func (m *model) marks(r reading, n int) (marks Marks) {
	rows := m.rows(r, common)
	if len(rows) == 0 {
		rows = m.rows(r, 0)
	}
	n = min(n, len(rows))
	sum := make([]float32, wide)
	for i := range n {
		clear(sum)
		for _, row := range rows[i*len(rows)/n : (i+1)*len(rows)/n] {
			add(sum, row)
		}
		marks = append(marks, signs(sum)...)
	}
	return marks
}

// rows are what the tokens of at least some rarity say.
func (m *model) rows(r reading, rarity float32) (rows [][]float32) {
	for i, id := range r.tokens {
		if m.rarity[id] >= rarity {
			rows = append(rows, r.words[i*wide:(i+1)*wide])
		}
	}
	return rows
}

// signs makes a mark: a bit is set where a value is negative.
func signs(values []float32) []byte {
	mark := make([]byte, markSize)
	for i, v := range values {
		if v < 0 {
			mark[i/8] |= 1 << (i % 8)
		}
	}
	return mark
}

// wordsFit tells how well the words of a query fit a mail: for each the mark that is nearest to it, all together from
// -1 to 1. Room is for its work, and is given back for the next.
func wordsFit(words []word, marks Marks, room []byte) (score float32, _ []byte) {
	room = unfold(room[:0], marks)
	var sums [maxMarks]int32
	n := min(len(marks)/markSize, len(sums))
	for _, w := range words {
		dots(sums[:n], room, wide, w.says)
		best := sums[0]
		for _, sum := range sums[1:n] {
			best = max(best, sum)
		}
		score += float32(best) * w.worth
	}
	return score, room
}

// unfold makes of each bit of marks a byte: 1, or -1 where it is set.
func unfold(to []byte, marks Marks) []byte {
	const ones, each, low = 0x0101010101010101, 0x8040201008040201, 0x7f7f7f7f7f7f7f7f
	for _, bits := range marks {
		set := uint64(bits) * ones & each // of each byte another bit
		set = (set | set&low + low) >> 7 & ones
		to = binary.LittleEndian.AppendUint64(to, set*0xfe^ones)
	}
	return to
}
