package bound

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestTake(t *testing.T) {
	b := New(t.Context(), 100)
	if !b.Take(60) || b.Short() {
		t.Fatal("60 of 100 were refused")
	}
	if b.Take(41) || !b.Short() {
		t.Error("101 of 100 were given")
	}
	if b.Take(-1) {
		t.Error("less than nothing was given")
	}
	b.Give(60)
	if b.Left() != 100 || !b.Take(100) {
		t.Errorf("%d left", b.Left())
	}
}

func TestTimeIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := New(ctx, 100)
	if !b.Pause() || !b.Step() || b.Over() {
		t.Fatal("over before it began")
	}
	cancel()
	steps := 0
	for b.Step() && steps < 1000 {
		steps++
	}
	if steps > 64 || !b.Over() || b.Pause() {
		t.Errorf("%d steps after the end", steps)
	}
	if _, err := b.Read(strings.NewReader("x"), 10); err != ErrOver {
		t.Errorf("Read: %v", err)
	}
}

func TestRead(t *testing.T) {
	broken := errors.New("broken")
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name   string
		r      io.Reader
		memory int64
		most   int64
		want   int
		err    error
	}{
		{"empty", strings.NewReader(""), 1 << 20, 10, 0, nil},
		{"less than most", strings.NewReader("abc"), 1 << 20, 10, 3, nil},
		{"just most", strings.NewReader("abc"), 1 << 20, 3, 3, nil},
		{"more than most", strings.NewReader("abcd"), 1 << 20, 3, 3, ErrMore},
		{"large", strings.NewReader(long), 1 << 20, 1 << 20, 100_000, nil},
		{"byte by byte", iotest.OneByteReader(strings.NewReader("abc")), 1 << 20, 10, 3, nil},
		{"more than memory", strings.NewReader(long), 10_000, 1 << 20, 6144, ErrOver},
		{"error with data", io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), 1 << 20, 10, 3, broken},
		{"end with data", iotest.DataErrReader(strings.NewReader("abcd")), 1 << 20, 3, 3, ErrMore},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := New(t.Context(), c.memory)
			got, err := b.Read(c.r, c.most)
			if !errors.Is(err, c.err) || c.err == nil && err != nil {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if len(got) != c.want {
				t.Errorf("%d bytes, want %d", len(got), c.want)
			}
			if !strings.HasPrefix("abcd", string(got)) && !strings.HasPrefix(long, string(got)) {
				t.Errorf("got %.20q", got)
			}
			if held := c.memory - b.Left(); held != int64(cap(got)) || held > c.memory {
				t.Errorf("%d bytes taken, %d held", held, cap(got))
			}
		})
	}
}
