package test

import "testing"

// Readers that stand still take no room on the disk from mail, nor from readers after them.
func TestFullSlowOnSmallDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	const bound = 10 << 20
	srv, _ := onSmallDisk(t, 120, "MAILKIN_MIN_FREE_DISK=10MiB")
	own := srv.mailbox(t, "own")
	own.pour(t, 1, func(int) []byte { return quotedMail(8_000_000) })
	id := own.only(t).ID
	for range 10 { // 160 MB
		own.slowFull(t, id)
		if free := freeBytes(t, srv.dir); free < bound {
			t.Fatalf("%d bytes are free", free)
		}
	}
	own.pour(t, 4, func(n int) []byte { return largeMail("room", 10_000_000, uint64(n)) })
	if n := srv.metric(t, "mailkin_full_answers_ended_total"); n < 6 {
		t.Errorf("%v answers were ended", n)
	}
}
