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
		for name, compress := range ways {
			packed := compress([]byte("before"), raw)
			if string(packed[:6]) != "before" {
				t.Fatalf("%s: what was there is gone", name)
			}
			if len(packed) > 6+len(raw)+len(raw)/1000+32 {
				t.Errorf("%s: %d bytes became %d", name, len(raw), len(packed))
			}
			got, err := Decompress([]byte("prefix"), packed[6:], len(raw))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(got, append([]byte("prefix"), raw...)) {
				t.Errorf("%s: not the bytes that went in", name)
			}
		}
	})
}

func TestDecompressRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	good := Compress(nil, textBytes(4000))
	dense := CompressDense(nil, []byte("Your verification code is 314159. It is good for ten minutes, and for one sign-in."))
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
		"half a code":  append(bytes.Clone(dense[:len(dense)/2]), good[len(good)-4:]...),
		"code of none": append(append(bytes.Clone(codedMark), 0), good[len(good)-4:]...),
		"no code":      append(append(bytes.Clone(codedMark), 0xff, 0xff, 0xff, 0xff, 1), good...),
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

// Sentences become a sixth shorter by Huffman's code.
func TestCompressDense(t *testing.T) {
	raw := letter(t)
	if plain, dense := len(Compress(nil, raw)), len(CompressDense(nil, raw)); dense > plain*5/6 {
		t.Errorf("%d bytes became %d, and %d by S2 alone", len(raw), dense, plain)
	}
	if raw = []byte("short"); len(CompressDense(nil, raw)) != len(Compress(nil, raw)) {
		t.Error("what does not become shorter is coded")
	}
}

func FuzzDecompress(f *testing.F) {
	f.Add([]byte{})
	f.Add(Compress(nil, nil))
	f.Add(Compress(nil, textBytes(300)))
	f.Add(Compress(nil, randomBytes(300)))
	f.Add(Compress(nil, make([]byte, 1<<20)))
	f.Add(CompressDense(nil, []byte("Your verification code is 314159. It is good for ten minutes.")))
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
