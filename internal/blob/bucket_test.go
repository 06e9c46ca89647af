package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// testPrefix is that of every bucket under test.
const testPrefix = "post/office"

// openBucket opens the bucket of the server.
func openBucket(t testing.TB, s *s3test.Server) *Bucket {
	t.Helper()
	opt, err := ParseBucketURL(s.URLWithKeys())
	if err != nil {
		t.Fatal(err)
	}
	opt.Prefix = testPrefix
	b, err := OpenBucket(opt)
	if err != nil {
		t.Fatal(err)
	}
	b.times = calm
	t.Cleanup(func() { b.Close() })
	return b
}

func bucketShop(t testing.TB) shop {
	t.Helper()
	server := s3test.Start(t)
	b := openBucket(t, server)
	return shop{
		Store: b,
		files: func(t testing.TB) []string { return bucketFiles(t, server, b) },
		age:   func(t testing.TB, name string) { backdate(t, server.Path(testPrefix+"/"+name)) },
		foreign: func(t testing.TB, names ...string) {
			for _, name := range names {
				writeFile(t, server.Path(testPrefix+"/"+name))
			}
		},
	}
}

// bucketFiles lists the objects without the prefix, and a "draft" for every upload under way.
func bucketFiles(t testing.TB, server *s3test.Server, b *Bucket) []string {
	t.Helper()
	var names []string
	for _, name := range server.Files(t) {
		name, ok := strings.CutPrefix(name, testPrefix+"/")
		if !ok {
			t.Errorf("%s is outside of the prefix", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	ups, err := b.client.ListMultipartUploads(t.Context(), b.name, "", "", "", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for range ups.Uploads {
		names = append(names, "draft")
	}
	return names
}

func TestBucketRequests(t *testing.T) {
	b, p := startProxy(t, s3test.Start(t))
	put(t, b, randomBytes(1000), "1/small")
	put(t, b, randomBytes(large), "1/large")
	want := []string{
		"PUT 01/1/small if free",
		"POST tmp?uploads", "PUT tmp?partNumber", "PUT tmp?partNumber", "POST tmp?uploadId",
		"HEAD 01/1/large", "PUT 01/1/large copy", "DELETE tmp",
	}
	if diff := cmp.Diff(want, p.take()); diff != "" {
		t.Errorf("writing (-want +got):\n%s", diff)
	}
	wantObject(t, b, "1/small", randomBytes(1000))
	wantObject(t, b, "1/large", randomBytes(large))
	// The end, the first frame, and all the rest at once.
	if diff := cmp.Diff([]string{"GET 01/1/small", "GET 01/1/large", "GET 01/1/large", "GET 01/1/large"},
		p.take()); diff != "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
}

// putLarge stores a large object as 1/a, and opens it.
func putLarge(t *testing.T, b *Bucket) (raw []byte, o Object) {
	t.Helper()
	raw = randomBytes(large)
	put(t, b, raw, "1/a")
	o, err := b.Open(t.Context(), "1/a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.Close() })
	return raw, o
}

// A part of a large object costs a request for each place that is read, and going on one more.
func TestBucketReadsParts(t *testing.T) {
	b, p := startProxy(t, s3test.Start(t))
	raw, o := putLarge(t, b)
	p.take()
	for _, off := range []int64{4 << 20, 2<<20 + 7, 2<<20 + 9, 0, large - 10} {
		got := make([]byte, 10)
		if _, err := o.ReadAt(got, off); err != nil || !bytes.Equal(got, raw[off:off+10]) {
			t.Errorf("at %d: %v", off, err)
		}
	}
	// The last frame is only partly in what Open has read.
	if got := p.take(); len(got) != 4 {
		t.Errorf("%d requests for 4 places: %v", len(got), got)
	}
}

// A service that does not know conditions is asked before.
func TestBucketWithoutConditions(t *testing.T) {
	b, p := startProxy(t, s3test.Start(t))
	p.fail(func(request string) fault {
		if strings.HasSuffix(request, " if free") {
			return unknown
		}
		return none
	})
	put(t, b, []byte("first"), "1/a")
	w := newBucketDraft(b)
	if err := w.Commit(t.Context(), "1/a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want fs.ErrExist", err)
	}
	if diff := cmp.Diff([]string{"PUT 01/1/a if free", "HEAD 01/1/a", "PUT 01/1/a", "HEAD 01/1/a", "HEAD 01/1/a"},
		p.take()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantObject(t, b, "1/a", []byte("first"))
}

func TestBucketDeletedWhileOpen(t *testing.T) {
	b := openBucket(t, s3test.Start(t))
	put(t, b, randomBytes(large), "1/a")
	o, err := b.Open(t.Context(), "1/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := b.Delete(t.Context(), "1/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadAt(make([]byte, 10), 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v, want ErrNotFound", err)
	}
}

// More objects than a page lists.
func TestBucketPages(t *testing.T) {
	s := bucketShop(t)
	const many = 2*listBatch + 10
	var names []string
	for i := range many {
		names = append(names, fmt.Sprintf("01/1/m%d", i))
	}
	s.foreign(t, names...)
	put(t, s, nil, "2/a")
	asked, times := 0, 0
	kept := func(keys []string) (list []string, err error) {
		times++
		for _, key := range keys {
			if asked++; asked%2 == 0 || key == "2/a" {
				list = append(list, key)
			}
		}
		return list, nil
	}
	if n, err := s.Sweep(t.Context(), -time.Hour, kept); n != many/2 || asked != many+1 || times != 3 || err != nil {
		t.Errorf("swept %d after asking for %d in %d questions, %v", n, asked, times, err)
	}
	if n, err := s.DeletePrefix(t.Context(), "1"); n != many/2 || err != nil {
		t.Errorf("deleted %d, %v", n, err)
	}
	s.want(t, "02/2/a")
}

func TestBucketDraftMemory(t *testing.T) {
	b := openBucket(t, s3test.Start(t))
	for name, n := range map[string]int{"100 KB": 100_000, "2 MB": 2 << 20, "10 MB": 10<<20 - 1} {
		t.Run(name, func(t *testing.T) {
			w := newBucketDraft(b)
			defer w.Abort()
			raw := randomBytes(n)
			for len(raw) > 0 {
				part := raw[:min(len(raw), 32<<10)]
				if _, err := w.Write(part); err != nil {
					t.Fatal(err)
				}
				raw = raw[len(part):]
				held := cap(w.pack.raw.b)
				for _, c := range w.chunks {
					held += cap(c.b)
				}
				if most := min(3*n, (partChunks+1)*(chunkSize+bufferSlack)); held > most {
					t.Fatalf("holds %d bytes, want at most %d", held, most)
				}
			}
		})
	}
}
