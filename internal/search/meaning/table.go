package meaning

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
)

// table is the encoder as tools/encoder wrote it. It is not compressed: that would make the binary 0.7 MB smaller, and
// every process that uses it 7 MB larger.
//
//go:embed table.bin
var table []byte

// magic begins a table; its last byte is the version of the layout.
const magic = "MKENC\x00\x001"

// What the model is like. The table is refused where it differs.
const (
	narrow    = 256 // width of the embeddings and of what enters the first layer
	wide      = 512 // width of everything after it
	inner     = 1536
	frequent  = 2048 // pieces whose embeddings have a remainder: the vocabulary is in the order of frequency
	heads     = 4
	maxTokens = 128
)

var errTable = errors.New("the table of the sentence encoder is damaged")

// restScale is what a remainder is worth against the byte it belongs to: rounding leaves half of one at most.
const restScale = 1.0 / 254

// matrix has a row of signed bytes for each output; value times scale is the weight. Where the model is sensitive, rest
// has more bytes of the same rows: what rounding left over. The bytes are part of the table and never written to.
type matrix struct {
	in, out    int
	rows, rest []byte
	scales     []float32
	bias       []float32
}

// layer is one of the two of the transformer.
type layer struct {
	width          int // of what enters it
	norm, feedNorm scaling
	qkv, output    matrix
	widen          matrix // makes what enters as wide as what leaves; empty in the second layer
	grow, shrink   matrix // the feed-forward part
}

// scaling is what follows the normalisation of a row.
type scaling struct{ scale, bias []float32 }

// model is the encoder's table, ready for use.
type model struct {
	pieces     map[string]piece
	longest    int       // bytes of the longest piece
	rarity     []float32 // of each piece: minus the logarithm of how frequent it is; 0 for what is no text
	positions  []float32
	embeddings matrix
	layers     [2]layer
	hidden     matrix
}

var builtIn = sync.OnceValues(func() (*model, error) { return readModel(table) })

// readModel takes a table apart. The weights stay where they are.
func readModel(table []byte) (*model, error) {
	r := &reader{rest: table}
	if string(r.take(len(magic))) != magic {
		return nil, errTable
	}
	m := &model{}
	vocabulary := r.pieces(m)
	m.positions = positions(r.vector(narrow / 2))
	m.embeddings = r.matrix(narrow, vocabulary, frequent)
	m.layers[0] = r.layer(narrow, r.fine)
	m.layers[1] = r.layer(wide, r.coarse)
	m.hidden = r.coarse(wide, wide)
	if r.failed || len(r.rest) > 0 {
		return nil, errTable
	}
	return m, nil
}

// layer takes a layer whose part before the feed-forward one is read by attention.
func (r *reader) layer(width int, attention func(in, out int) matrix) layer {
	l := layer{width: width}
	l.norm = scaling{r.vector(width), r.vector(width)}
	l.qkv = attention(width, 3*width)
	l.output = attention(width, wide)
	if width != wide {
		l.widen = attention(width, wide)
	}
	l.feedNorm = scaling{r.vector(wide), r.vector(wide)}
	l.grow = r.coarse(wide, inner)
	l.shrink = r.coarse(inner, wide)
	return l
}

// positions is the signal that tells the first layer where in the text a token is: a row for each place.
func positions(frequencies []float32) []float32 {
	signal := make([]float32, maxTokens*narrow)
	for at := range maxTokens {
		row := signal[at*narrow : (at+1)*narrow]
		for i, f := range frequencies {
			sin, cos := math.Sincos(float64(at) * float64(f))
			row[i], row[narrow/2+i] = float32(sin), float32(cos)
		}
	}
	return signal
}

// reader takes parts off a table. After a part that is not there every further one is empty.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if r.failed || n > len(r.rest) {
		r.failed = true
		return nil
	}
	part := r.rest[:n:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) uint32() int {
	if part := r.take(4); part != nil {
		return int(binary.LittleEndian.Uint32(part))
	}
	return 0
}

// count takes a number that must be the given one.
func (r *reader) count(want int) {
	if r.uint32() != want {
		r.failed = true
	}
}

func (r *reader) floats(n int) []float32 {
	part := r.take(4 * n)
	values := make([]float32, len(part)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(part[4*i:]))
	}
	return values
}

func (r *reader) vector(n int) []float32 {
	r.count(n)
	return r.floats(n)
}

// matrix takes a matrix of which the first fine rows have a remainder.
func (r *reader) matrix(in, out, fine int) matrix {
	r.count(in)
	r.count(out)
	r.count(fine)
	return matrix{in: in, out: out, scales: r.floats(out), rows: r.take(in * out), rest: r.take(in * fine)}
}

func (r *reader) coarse(in, out int) matrix { return r.withBias(r.matrix(in, out, 0)) }

func (r *reader) fine(in, out int) matrix { return r.withBias(r.matrix(in, out, out)) }

func (r *reader) withBias(m matrix) matrix {
	m.bias = r.vector(m.out)
	return m
}

// pieces fills in the vocabulary and says how large it is.
func (r *reader) pieces(m *model) int {
	const largest = 1 << 16
	n := r.uint32()
	if n <= reserved || n > largest {
		r.failed = true
		return 0
	}
	m.pieces, m.rarity = make(map[string]piece, n), make([]float32, n)
	for i := range n {
		score := r.take(8)
		length := r.take(1)
		if r.failed {
			return 0
		}
		text := string(r.take(int(length[0])))
		if i < reserved {
			continue
		}
		p := piece{id: int32(i), score: math.Float64frombits(binary.LittleEndian.Uint64(score))}
		m.pieces[text], m.rarity[i] = p, float32(max(-p.score, 0))
		m.longest = max(m.longest, len(text))
	}
	return n
}

// Open returns the built-in encoder, which reads its table when it is first used. The error can only be that of a
// damaged binary.
func Open() (*Encoder, error) {
	if !bytes.HasPrefix(table, []byte(magic)) {
		return nil, fmt.Errorf("open the sentence encoder: %w", errTable)
	}
	return &Encoder{}, nil
}
