package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// piece is an entry of the vocabulary.
type piece struct {
	text  string
	score float64
}

// tensor is an array of the package. The last dimension of a matrix is its output.
type tensor struct {
	shape  []int
	values []float32
}

func readVocabulary(folder string) ([]piece, error) {
	var entries [][2]any
	if err := readJSON(filepath.Join(folder, "dist", "vocab.json"), &entries); err != nil {
		return nil, err
	}
	pieces := make([]piece, len(entries))
	for i, e := range entries {
		text, isText := e[0].(string)
		// QUIRK: null for seven pieces with a colon; the package's runtime adds it as zero
		score, isScore := e[1].(float64)
		if !isText || !isScore && e[1] != nil || len(text) > math.MaxUint8 {
			return nil, fmt.Errorf("entry %d is %v", i, e)
		}
		pieces[i] = piece{text, score}
	}
	return pieces, nil
}

// readWeights returns every float tensor under its name.
func readWeights(folder string) (map[string]tensor, error) {
	var model struct {
		WeightsManifest []struct {
			Paths   []string
			Weights []struct {
				Name, Dtype string
				Shape       []int
			}
		}
	}
	if err := readJSON(filepath.Join(folder, "dist", "model.json"), &model); err != nil {
		return nil, err
	}
	weights := map[string]tensor{}
	for _, group := range model.WeightsManifest {
		var shards []byte
		for _, name := range group.Paths {
			shard, err := os.ReadFile(filepath.Join(folder, "dist", name))
			if err != nil {
				return nil, err
			}
			shards = append(shards, shard...)
		}
		for _, w := range group.Weights { // every kind of number in the package has four bytes
			t := tensor{shape: w.Shape, values: make([]float32, product(w.Shape))}
			if len(shards) < 4*len(t.values) {
				return nil, fmt.Errorf("%s is cut off", w.Name)
			}
			for i := range t.values {
				t.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(shards[4*i:]))
			}
			shards = shards[4*len(t.values):]
			if w.Dtype == "float32" {
				weights[w.Name] = t
			}
		}
	}
	return weights, nil
}

func readJSON(name string, into any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}
