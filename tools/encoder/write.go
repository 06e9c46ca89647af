package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

const magic = "MKENC\x00\x001"

// frequent is how many pieces, of a vocabulary in the order of frequency, have a remainder.
const frequent = 2048

// Names of the package are long and regular: these are their beginnings.
const (
	folded = "module_apply_default/Encoder_en/KonaTransformer/Encode/Layer_%d/TransformerLayer/"
	stacks = "module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_%d/TransformerLayer/"
	kernel = "module/Encoder_en/KonaTransformer/Encode/Layer_%d/TransformerLayer/"
	concat = "/ConcatPartitions/concat"
)

// writer appends the parts of the table, and remembers what it did not find.
type writer struct {
	out     []byte
	weights map[string]tensor
	missing []string
}

func writeTable(vocabulary []piece, weights map[string]tensor) ([]byte, error) {
	w := &writer{out: []byte(magic), weights: weights}
	w.uint32(len(vocabulary))
	for _, p := range vocabulary {
		w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(p.score))
		w.out = append(w.out, byte(len(p.text)))
		w.out = append(w.out, p.text...)
	}
	w.vector("module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1")
	w.embeddings("module/Embeddings_en", len(vocabulary))
	w.layer(0, true)
	w.layer(1, false)
	w.matrix("module/Encoder_en/hidden_layers/tanh_layer_0/weights", false)
	w.vector("module/Encoder_en/hidden_layers/tanh_layer_0/bias")
	if len(w.missing) > 0 {
		return nil, fmt.Errorf("the package has no %q", w.missing)
	}
	return w.out, nil
}

// layer writes a layer; fine is whether its part before the feed-forward one has remainders.
func (w *writer) layer(i int, fine bool) {
	folded, stacks, kernel := fmt.Sprintf(folded, i), fmt.Sprintf(stacks, i), fmt.Sprintf(kernel, i)
	w.vector(folded + "layer_prepostprocess/layer_norm/layer_norm_scale" + concat)
	w.vector(folded + "layer_prepostprocess/layer_norm/layer_norm_bias" + concat)
	w.matrix(kernel+"MultiheadAttention/qkv_transform_single/kernel/part_0", fine)
	w.vector(folded + "MultiheadAttention/qkv_transform_single/bias" + concat)
	w.matrix(kernel+"MultiheadAttention/output_transform_single/kernel/part_0", fine)
	w.vector(folded + "MultiheadAttention/output_transform_single/bias" + concat)
	if i == 0 {
		w.matrix(folded+"dense/kernel"+concat, fine)
		w.vector(folded + "dense/bias" + concat)
	}
	w.vector(folded + "FFN/layer_prepostprocess/layer_norm/layer_norm_scale" + concat)
	w.vector(folded + "FFN/layer_prepostprocess/layer_norm/layer_norm_bias" + concat)
	w.matrix(stacks+"FFN/conv1/Tensordot/Reshape_1", false)
	w.vector(folded + "FFN/conv1/bias" + concat)
	w.matrix(stacks+"FFN/conv2/Tensordot/Reshape_1", false)
	w.vector(folded + "FFN/conv2/bias" + concat)
}

func (w *writer) find(name string) tensor {
	t, ok := w.weights[name]
	if !ok {
		w.missing = append(w.missing, name)
	}
	return t
}

func (w *writer) uint32(n int) { w.out = binary.LittleEndian.AppendUint32(w.out, uint32(n)) }

func (w *writer) float32(x float32) {
	w.out = binary.LittleEndian.AppendUint32(w.out, math.Float32bits(x))
}

func (w *writer) vector(name string) {
	values := w.find(name).values
	w.uint32(len(values))
	for _, x := range values {
		w.float32(x)
	}
}

// matrix writes a kernel of the package, [in][out], with a row for each output.
func (w *writer) matrix(name string, fine bool) {
	t := w.find(name)
	if len(t.shape) < 2 {
		return
	}
	in, out := t.shape[len(t.shape)-2], t.shape[len(t.shape)-1]
	rows := make([][]float32, out)
	for o := range rows {
		rows[o] = make([]float32, in)
		for i := range rows[o] {
			rows[o][i] = t.values[i*out+o]
		}
	}
	if fine {
		w.rows(rows, len(rows))
	} else {
		w.rows(rows, 0)
	}
}

// embeddings writes the rows that the vocabulary can reach.
func (w *writer) embeddings(name string, count int) {
	t := w.find(name)
	if len(t.shape) < 2 || t.shape[0] < count {
		return
	}
	width := t.shape[1]
	rows := make([][]float32, count)
	for i := range rows {
		rows[i] = t.values[i*width : (i+1)*width]
	}
	w.rows(rows, frequent)
}

// rows writes a matrix, and remainders of its first fine rows.
func (w *writer) rows(rows [][]float32, fine int) {
	w.uint32(len(rows[0]))
	w.uint32(len(rows))
	w.uint32(fine)
	scales := make([]float64, len(rows))
	for i, row := range rows {
		scales[i] = scale(row)
		w.float32(float32(scales[i]))
	}
	for i, row := range rows {
		for _, x := range row {
			w.out = append(w.out, byte(int8(math.Round(float64(x)/scales[i]))))
		}
	}
	for i, row := range rows[:fine] {
		for _, x := range row {
			exact := float64(x) / scales[i]
			w.out = append(w.out, byte(int8(math.Round((exact-math.Round(exact))*2*math.MaxInt8))))
		}
	}
}

// scale is what one step of a row's bytes is worth, as it is written.
func scale(row []float32) float64 {
	var most float32
	for _, x := range row {
		most = max(most, x, -x)
	}
	if most == 0 {
		return 1 // any will do but none
	}
	return float64(most / math.MaxInt8)
}
