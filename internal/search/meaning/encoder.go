package meaning

import (
	"context"
	"math"
	"sync"
)

// Dims is the number of dimensions of the built-in encoder's vectors.
const Dims = wide

// modelName is stored with each vector: a new table, another way to round or another record gets another name.
const modelName = "use-lite-student-int8/3"

// Encoder is the built-in encoder. It may be used by many goroutines at once.
type Encoder struct {
	workspaces sync.Pool // of *workspace
}

// model is the table. The first call reads it, which takes milliseconds, and fails only in a damaged binary.
func (e *Encoder) model() *model {
	m, err := builtIn()
	if err != nil {
		panic(err)
	}
	return m
}

// Model is the name of the model.
func (e *Encoder) Model() string { return modelName }

// Vector gives a text its vector: of English text what it says, up to 128 tokens. A text without a single visible
// character has a vector of length zero. A token takes about 0.2 ms with vector instructions, and 2.5 ms without.
func (e *Encoder) Vector(text string) Vector { return round(e.direction(text)) }

// Vectors gives each text its vector, and ends early with the error of ctx.
func (e *Encoder) Vectors(ctx context.Context, texts []string) ([]Vector, error) {
	vectors := make([]Vector, 0, len(texts))
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors = append(vectors, e.Vector(text))
	}
	return vectors, nil
}

// reading is what the encoder makes of a text.
type reading struct {
	direction []float32 // of length one, or all zero for an empty text
	tokens    []int32
	// Dims for each token: what it says where it stands; their mean is what the direction is made of
	words []float32
}

// direction is the vector before it is rounded.
func (e *Encoder) direction(text string) []float32 { return e.read(false, text)[0].direction }

// read encodes texts together, which takes less than one after the other, and returns their words too if they are to be
// read closely.
func (e *Encoder) read(closely bool, texts ...string) []reading {
	readings := make([]reading, len(texts))
	var all []int32
	sizes := make([]int, len(texts))
	for i, text := range texts {
		readings[i].tokens = e.model().tokens(text)
		sizes[i] = len(readings[i].tokens)
		all = append(all, readings[i].tokens...)
	}
	d, ok := e.workspaces.Get().(*workspace)
	if !ok {
		d = &workspace{}
	}
	defer e.workspaces.Put(d)
	var words []float32
	var rows []float32
	if len(all) > 0 {
		rows = e.model().transform(d, all, sizes)
	}
	if closely && len(all) > 0 {
		words = make([]float32, len(all)*wide)
		d.operand.take(rows, len(all), wide)
		e.model().hidden.multiply(words, &d.operand)
	}
	for i, n := range sizes {
		if n == 0 {
			readings[i].direction = make([]float32, Dims)
			continue
		}
		readings[i].direction = e.model().direct(d, rows, n)
		rows = rows[n*wide:]
		if closely {
			readings[i].words, words = words[:n*wide], words[n*wide:]
		}
	}
	return readings
}

// transform runs the transformer on texts with a given number of tokens each. Rows of its arrays are tokens; what it
// returns is in the workspace.
func (m *model) transform(d *workspace, tokens []int32, texts []int) []float32 {
	x := resize(&d.x, len(tokens)*narrow)
	for from, i := 0, 0; i < len(texts); i++ {
		m.embed(x[from*narrow:], tokens[from:from+texts[i]])
		from += texts[i]
	}
	for i := range m.layers {
		x = m.layers[i].pass(d, x, texts)
	}
	return x
}

// direct makes one direction of n rows that left the transformer.
func (m *model) direct(d *workspace, x []float32, n int) []float32 {
	mean := resize(&d.mean, wide)
	clear(mean)
	for t := range n {
		add(mean, x[t*wide:(t+1)*wide])
	}
	for i := range mean {
		mean[i] /= float32(n)
	}
	direction := make([]float32, wide)
	d.operand.take(mean, 1, wide)
	m.hidden.multiply(direction, &d.operand)
	var square float64
	for i, v := range direction {
		direction[i] = float32(math.Tanh(float64(v)))
		square += float64(direction[i]) * float64(direction[i])
	}
	for i := range direction {
		direction[i] /= float32(math.Sqrt(square))
	}
	return direction
}

// embed fills each token's row with what the table has for it, with the signal of its position.
func (m *model) embed(x []float32, tokens []int32) {
	for t, id := range tokens {
		row, signal := x[t*narrow:(t+1)*narrow], m.positions[t*narrow:(t+1)*narrow]
		first, last := int(id)*narrow, (int(id)+1)*narrow
		scale := 2 * m.embeddings.scales[id] // the original adds the embedding of a token to itself
		for i, w := range m.embeddings.rows[first:last] {
			row[i] = float32(int8(w))*scale + signal[i]
		}
		if last > len(m.embeddings.rest) {
			continue
		}
		for i, w := range m.embeddings.rest[first:last] {
			row[i] += float32(int8(w)) * (scale * restScale)
		}
	}
}
