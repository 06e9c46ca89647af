package service_test

import (
	"log/slog"
	"os"
	"testing"
)

// BenchmarkReceiveLogged is BenchmarkReceive with the line that each message has in the log, written to a file.
func BenchmarkReceiveLogged(b *testing.B) {
	f, err := os.CreateTemp(b.TempDir(), "log")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for _, row := range []struct {
		name string
		log  *slog.Logger
	}{
		{"none", slog.New(slog.DiscardHandler)}, {"text", slog.New(slog.NewTextHandler(f, nil))},
		{"json", slog.New(slog.NewJSONHandler(f, nil))},
	} {
		b.Run(row.name, func(b *testing.B) { benchmarkReceive(b, 4<<10, 10, row.log) })
	}
}
