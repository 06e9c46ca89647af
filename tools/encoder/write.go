package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

const magic = "MKENC\x00\x001"

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
	w.layer(0)
	w.layer(1)
	w.matrix("module/Encoder_en/hidden_layers/tanh_layer_0/weights")
	w.vector("module/Encoder_en/hidden_layers/tanh_layer_0/bias")
	if len(w.missing) > 0 {
		return nil, fmt.Errorf("the package has no %q", w.missing)
	}
	return w.out, nil
}

func (w *writer) layer(i int) {
	folded, stacks, kernel := fmt.Sprintf(folded, i), fmt.Sprintf(stacks, i), fmt.Sprintf(kernel, i)
	w.vector(folded + "layer_prepostprocess/layer_norm/layer_norm_scale" + concat)
	w.vector(folded + "layer_prepostprocess/layer_norm/layer_norm_bias" + concat)
	w.matrix(kernel + "MultiheadAttention/qkv_transform_single/kernel/part_0")
	w.vector(folded + "MultiheadAttention/qkv_transform_single/bias" + concat)
	w.matrix(kernel + "MultiheadAttention/output_transform_single/kernel/part_0")
	w.vector(folded + "MultiheadAttention/output_transform_single/bias" + concat)
	if i == 0 {
		w.matrix(folded + "dense/kernel" + concat)
		w.vector(folded + "dense/bias" + concat)
	}
	w.vector(folded + "FFN/layer_prepostprocess/layer_norm/layer_norm_scale" + concat)
	w.vector(folded + "FFN/layer_prepostprocess/layer_norm/layer_norm_bias" + concat)
	w.matrix(stacks + "FFN/conv1/Tensordot/Reshape_1")
	w.vector(folded + "FFN/conv1/bias" + concat)
	w.matrix(stacks + "FFN/conv2/Tensordot/Reshape_1")
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
func (w *writer) matrix(name string) {
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
	w.rows(rows)
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
	w.rows(rows)
}

func (w *writer) rows(rows [][]float32) {
	w.uint32(len(rows[0]))
	w.uint32(len(rows))
	scales := make([]float32, len(rows))
	for i, row := range rows {
		var most float32
		for _, x := range row {
			most = max(most, x, -x)
		}
		if most == 0 {
			most = 1 // all zero: any scale will do but none
		}
		scales[i] = most / math.MaxInt8
		w.float32(scales[i])
	}
	for i, row := range rows {
		for _, x := range row {
			w.out = append(w.out, byte(int8(math.Round(float64(x/scales[i])))))
		}
	}
}
