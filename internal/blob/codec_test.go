package blob

import (
	"bytes"
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestCompressRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	eachContent(t, func(t *testing.T, raw []byte) {
		packed := Compress([]byte("before"), raw)
		if string(packed[:6]) != "before" {
			t.Fatal("Compress does not append")
		}
		if len(packed) > 6+len(raw)+len(raw)/1000+32 {
			t.Errorf("%d bytes became %d", len(raw), len(packed))
		}
		got, err := Decompress([]byte("prefix"), packed[6:], len(raw))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, append([]byte("prefix"), raw...)) {
			t.Error("not the bytes that went in")
		}
	})
}

func TestDecompressRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	good := Compress(nil, textBytes(4000))
	noChecksum, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for name, packed := range map[string][]byte{
		"nothing":      nil,
		"three bytes":  good[:3],
		"header only":  good[:12],
		"truncated":    good[:len(good)-1],
		"flipped bit":  flipped,
		"two frames":   append(bytes.Clone(good), good...),
		"no zstd":      []byte("Received: from mail.example.com by mx.example.com"),
		"no checksum":  noChecksum.EncodeAll(textBytes(4000), nil),
		"over limit":   Compress(nil, textBytes(4001)),
		"bomb":         Compress(nil, make([]byte, 100<<20)),
		"only skipped": appendTail(nil, nil, 0, false),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Decompress([]byte("prefix"), packed, 4000)
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("error %v, want ErrCorrupt", err)
			}
			if string(got) != "prefix" {
				t.Errorf("dst became %d bytes", len(got))
			}
		})
	}
}

func FuzzDecompress(f *testing.F) {
	f.Add([]byte{})
	f.Add(Compress(nil, nil))
	f.Add(Compress(nil, textBytes(300)))
	f.Add(Compress(nil, randomBytes(300)))
	f.Add(Compress(nil, make([]byte, 1<<20)))
	f.Fuzz(func(t *testing.T, packed []byte) {
		const limit = 1 << 20
		got, err := Decompress([]byte("prefix"), packed, limit)
		if !bytes.HasPrefix(got, []byte("prefix")) || len(got) > limit+6 {
			t.Errorf("%d bytes", len(got))
		}
		if err != nil && (!errors.Is(err, ErrCorrupt) || len(got) != 6) {
			t.Errorf("%d bytes and %v", len(got), err)
		}
	})
}
