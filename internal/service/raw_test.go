package service_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A large message goes through the blob store and comes back to the byte, with its attachments, wherever one begins.
func TestLargeMessage(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	files := [][]byte{noise(3<<20 + 17), []byte("small"), noise(700 << 10), {}}
	raw := mixed("large", files...)
	id := k.receive(raw, "own@example.test")[0].ID
	k.same("files", len(k.files()), 1)
	in := own.in(mailbox.ReadAttachment)
	m := k.message(in, id)
	k.same("attachments", []int{m.Attachments, len(m.Detail.Parts)}, []int{4, 4})
	k.same("text", m.Detail.Text, "See the files.")
	r, err := k.svc.Raw(t.Context(), in, id)
	k.works("Raw", err)
	defer r.Close()
	if got := readAll(k, r); got != raw {
		t.Errorf("%d bytes came back of %d", len(got), len(raw))
	}
	for i, want := range files {
		p := m.Detail.Parts[i]
		if p.Filename != fmt.Sprintf("file%d.bin", i+1) || p.Size != int64(len(want)) ||
			p.SHA256 != sha256.Sum256(want) {
			t.Errorf("part %d: %+v", i+1, p)
		}
		a, err := k.svc.Attachment(t.Context(), in, id.Part(p.Index))
		k.works("Attachment", err)
		if got := readAll(k, a); got != string(want) {
			t.Errorf("part %d: %d bytes came back of %d", i+1, len(got), len(want))
		}
		ranges(k, a, want)
		k.works("Close", a.Close())
	}
	for _, n := range []int{0, 5, mailbox.MaxPart} {
		_, err := k.svc.Attachment(t.Context(), in, id.Part(n))
		k.kind(fmt.Sprintf("part %d", n), err, mailbox.NotFound, "not_found")
	}
}

// ranges reads parts of an attachment, forward and back, as http.ServeContent does.
func ranges(k *kit, a io.ReadSeeker, want []byte) {
	k.Helper()
	size := int64(len(want))
	if end, err := a.Seek(0, io.SeekEnd); err != nil || end != size {
		k.Errorf("end at %d, %v", end, err)
	}
	if n, err := a.Read(make([]byte, 10)); n != 0 || err != io.EOF {
		k.Errorf("read at the end: %d, %v", n, err)
	}
	for _, r := range [][2]int64{{0, 10}, {size / 2, size/2 + 1000}, {size / 3, size / 2}, {size - 5, size}, {0, size},
		{1, 2}, {size, size}} {
		from, to := max(0, min(r[0], size)), min(r[1], size)
		if _, err := a.Seek(from, io.SeekStart); err != nil {
			k.Error(err)
		}
		got := make([]byte, to-from)
		if _, err := io.ReadFull(a, got); err != nil || string(got) != string(want[from:to]) {
			k.Errorf("bytes %d to %d differ (%v)", from, to, err)
		}
	}
	if _, err := a.Seek(-1, io.SeekStart); err == nil {
		k.Error("seeking before the beginning works")
	}
	if _, err := a.Seek(0, io.SeekStart); err != nil {
		k.Error(err)
	}
	if at, err := a.Seek(2, io.SeekCurrent); err != nil || at != 2 {
		k.Errorf("at %d, %v", at, err)
	}
}

// A message that is small as it comes and does not pack goes to a blob, with its attachments weighed.
func TestDenseMessage(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	file := noise(180 << 10)
	id := k.receive(mixed("dense", file), "own@example.test")[0].ID
	k.same("files", len(k.files()), 1)
	p := k.message(own.read(), id).Detail.Parts[0]
	if p.Size != int64(len(file)) || p.SHA256 != sha256.Sum256(file) {
		t.Errorf("the part is %+v", p)
	}
}
