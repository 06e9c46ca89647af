package blob

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
)

// sizes around the borders of blocks, buffers and frames.
var sizes = []int{0, 1, 100, 4 << 10, 100_000, 1<<17 - 1, 1 << 17, 1<<17 + 1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 5 << 20}

// kinds of content, each the same in every run.
var kinds = map[string]func(n int) []byte{"random": randomBytes, "text": textBytes, "base64": base64Bytes}

// Content is made once, for up to 10 MB, and lent: nobody writes to it.
const maxContent = 10 << 20

func randomBytes(n int) []byte { return randomContent()[:n:n] }

func textBytes(n int) []byte { return textContent()[:n:n] }

func base64Bytes(n int) []byte { return base64Content()[:n:n] }

var randomContent = sync.OnceValue(func() []byte {
	b := make([]byte, maxContent)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
})

var textContent = sync.OnceValue(func() []byte {
	words := []string{"order", "invoice", "agent", "Tuesday", "reply", "code", "mailbox", "shipped", "thanks", "the",
		"is"}
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for len(b) < maxContent {
		b = append(append(b, words[r.IntN(len(words))]...), ' ')
		b = append(strconv.AppendInt(b, r.Int64N(1000), 10), "\r\n"...)
	}
	return b
})

var base64Content = sync.OnceValue(func() []byte {
	line := make([]byte, 57)
	src := rand.NewChaCha8([32]byte{2})
	var b []byte
	for len(b) < maxContent {
		_, _ = src.Read(line)
		b = append(base64.StdEncoding.AppendEncode(b, line), "\r\n"...)
	}
	return b
})

// eachContent runs fn for every kind and size.
func eachContent(t *testing.T, fn func(t *testing.T, raw []byte)) {
	for kind, content := range kinds {
		for _, n := range sizes {
			t.Run(fmt.Sprintf("%s/%d", kind, n), func(t *testing.T) { fn(t, content(n)) })
		}
	}
}

// writeChunks writes raw in pieces of random length.
func writeChunks(t *testing.T, w io.Writer, raw []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(len(raw))))
	for len(raw) > 0 {
		n := min(1+r.IntN(1<<r.IntN(22)), len(raw))
		if got, err := w.Write(raw[:n]); got != n || err != nil {
			t.Fatalf("write of %d bytes: %d, %v", n, got, err)
		}
		raw = raw[n:]
	}
}

func readAll(o Object) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
}
