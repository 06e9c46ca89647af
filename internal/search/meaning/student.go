package meaning

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// studentTable is the student as tools/encoder/student wrote it. Nothing of it is copied but what is asked for.
//
//go:embed student.bin
var studentTable []byte

// studentMagic begins the table; its last byte is the version of the layout.
const studentMagic = "MKSTUD\x002"

const (
	// studentDims is the number of dimensions of the student's vectors.
	studentDims = 192
	// studentTokens is how many pieces of a text are read.
	studentTokens = 256
)

// student is a small encoder of twenty languages, which learned from the English one: a text is the sum of the rows of
// its pieces, so it knows words and not what they make together. It is for mail and queries that the English encoder
// cannot read. The pieces are in the order of their bytes, and are looked up where the binary is mapped.
type student struct {
	languages int    // the first is English
	starts    []byte // uint32: where each piece begins in text, and the end
	text      []byte
	scores    []byte // uint16: minus the logarithm of how frequent a piece is, times scoreUnit
	scales    []byte // float32
	rows      []byte
	speech    []byte // for each piece and language half a byte: how much it speaks for that
	// bridge makes of the English encoder's vector of a text the student's, so that what only one of them read can be
	// compared with what the other did.
	bridge matrix
	least  float32
}

// scoreUnit is what the scores of pieces are multiplied by.
const scoreUnit = 4096

// builtInStudent is the student. It is read when a text is first seen that may not be English, and fails only in a
// damaged binary.
var builtInStudent = sync.OnceValue(func() *student {
	s, ok := readStudent(studentTable)
	if !ok {
		panic(errTable)
	}
	return s
})

func readStudent(table []byte) (*student, bool) {
	r := &reader{rest: table}
	if string(r.take(len(studentMagic))) != studentMagic {
		return nil, false
	}
	s := &student{}
	n := r.uint32()
	s.languages = r.uint32()
	r.count(studentDims)
	if n == 0 || n > 1<<17 || s.languages == 0 || s.languages > 64 {
		return nil, false
	}
	r.take(2 * s.languages) // their names
	s.starts = r.take(4 * (n + 1))
	if r.failed {
		return nil, false
	}
	s.text = r.take(s.start(n))
	s.scores, s.scales = r.take(2*n), r.take(4*n)
	s.rows, s.speech = r.take(n*studentDims), r.take(n*s.speechSize())
	s.bridge = r.coarse(Dims, studentDims)
	if r.failed || len(r.rest) > 0 {
		return nil, false
	}
	for i := range n {
		s.least = min(s.least, s.score(i))
	}
	return s, true
}

func (s *student) start(i int) int { return int(binary.LittleEndian.Uint32(s.starts[4*i:])) }

func (s *student) piece(i int) []byte { return s.text[s.start(i):s.start(i+1)] }

func (s *student) size() int { return len(s.starts)/4 - 1 }

func (s *student) speechSize() int { return (s.languages + 1) / 2 }

func (s *student) score(i int) float32 {
	return -float32(binary.LittleEndian.Uint16(s.scores[2*i:])) / scoreUnit
}

// tokens divides a text into the pieces that are together the likeliest; what is in none is left out. It is known if
// that is less than half.
func (s *student) tokens(text string) (ids []int32, known bool) {
	const unknownCost = 10
	t := normal(strings.ToLower(text))
	if len(t) > maxText {
		t = strings.ToValidUTF8(t[:maxText], "")
	}
	best, from, by := make([]float32, len(t)+1), make([]int32, len(t)+1), make([]int32, len(t)+1)
	for i := 1; i <= len(t); i++ {
		best[i] = float32(math.Inf(-1))
	}
	for start := 0; start < len(t); {
		_, size := utf8.DecodeRuneInString(t[start:])
		offer := func(end int, score float32, id int) {
			if score += best[start]; score > best[end] {
				best[end], from[end], by[end] = score, int32(start), int32(id)
			}
		}
		offer(start+size, s.least-unknownCost, -1)
		s.beginnings(t[start:], func(length, id int) { offer(start+length, s.score(id), id) })
		start += size
	}
	strange := 0
	for end := len(t); end > 0; end = int(from[end]) {
		if by[end] >= 0 {
			ids = append(ids, by[end])
		} else {
			strange += end - int(from[end])
		}
	}
	slices.Reverse(ids)
	return ids[:min(len(ids), studentTokens)], 2*strange < len(t)
}

// beginnings finds the pieces that a text begins with: each byte narrows the range of pieces that have it there.
func (s *student) beginnings(text string, found func(length, id int)) {
	low, high := 0, s.size()
	for at := range len(text) {
		low = s.first(low, high, at, int(text[at]))
		high = s.first(low, high, at, int(text[at])+1)
		if low == high {
			return
		}
		if len(s.piece(low)) == at+1 { // the shortest comes first
			found(at+1, low)
		}
	}
}

// first is the first piece from low to high whose byte at a place is b or more; they are alike before it.
func (s *student) first(low, high, at, b int) int {
	for low < high {
		middle := (low + high) / 2
		if p := s.piece(middle); len(p) > at && int(p[at]) >= b {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// direction is what a text says, of length one, or all zero.
func (s *student) direction(ids []int32) []float32 {
	sum := make([]float32, studentDims)
	for _, id := range ids {
		s.add(sum, id)
	}
	return unit(sum)
}

// words are the pieces of a text that say most, as they are compared with the marks of English mail. How much a piece
// says is the length of its row.
func (s *student) words(ids []int32) []word {
	const most = 8
	lengths := make(map[int32]float32, len(ids))
	row := make([]float32, studentDims)
	for _, id := range ids {
		clear(row)
		s.add(row, id)
		lengths[id] = float32(math.Sqrt(float64(inner4(row, row))))
	}
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(lengths[b], lengths[a]) })
	ids = ids[:min(len(ids), most)]
	var all float32
	for _, id := range ids {
		all += lengths[id]
	}
	words := make([]word, 0, len(ids))
	for _, id := range ids {
		clear(row)
		s.add(row, id)
		to, _ := s.back(row)
		values := make([]int16, Dims)
		scale := float64(shorten(values, to)) / math.Sqrt(float64(Dims*inner4(to, to)))
		if lengths[id] > 0 && !math.IsNaN(scale) {
			words = append(words, word{newFactor(values), lengths[id] / all * float32(scale)})
		}
	}
	return words
}

// add adds a piece to a text.
func (s *student) add(sum []float32, id int32) {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(s.scales[4*id:]))
	for i, w := range s.rows[int(id)*studentDims : (int(id)+1)*studentDims] {
		sum[i] += float32(int8(w)) * scale
	}
}

// unit makes a direction of length one, unless it is all zero.
func unit(values []float32) []float32 {
	if length := float32(math.Sqrt(float64(inner4(values, values)))); length > 0 {
		for i := range values {
			values[i] /= length
		}
	}
	return values
}

// across is what the student would make of a text to which the English encoder gives a direction.
func (s *student) across(direction []float32) []float32 {
	var o operand
	o.take(direction, 1, Dims)
	out := make([]float32, studentDims)
	s.bridge.multiply(out, &o)
	return unit(out)
}

// back is the other way: the product of what it returns with an English encoder's direction, plus the constant, is
// that of the student's direction with what it would make of the text.
func (s *student) back(direction []float32) (to []float32, constant float32) {
	to = make([]float32, Dims)
	for i, d := range direction {
		weight := d * s.bridge.scales[i]
		for j, w := range s.bridge.rows[i*Dims : (i+1)*Dims] {
			to[j] += float32(int8(w)) * weight
		}
		constant += d * s.bridge.bias[i]
	}
	return to, constant
}

// language tells which of its languages a text is in, 0 for English, and how much speaks against English. No word
// counts for more than most: a name in a query tells little about the query.
func (s *student) language(ids []int32, most int) (best, against int) {
	size := s.speechSize()
	sums, word := make([]int, s.languages), make([]int, s.languages)
	end := func() {
		for l := range word {
			sums[l] += min(max(word[l]-word[0], -most), most)
		}
		clear(word)
	}
	for _, id := range ids {
		if strings.HasPrefix(string(s.piece(int(id))), space) {
			end()
		}
		row := s.speech[int(id)*size : (int(id)+1)*size]
		for l := range word {
			word[l] += int(row[l/2] >> (4 * (l % 2)) & 15)
		}
	}
	end()
	for l := range sums {
		if sums[l] > sums[best] {
			best = l
		}
	}
	return best, sums[best]
}
