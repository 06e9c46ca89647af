package sender

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"
)

// A message is signed for each of its recipients, and an RSA signature is most of what a delivery costs. What is signed
// says nothing of the recipient, so those that are delivered together share their signatures.

const (
	recentMost = 16          // messages whose signatures are remembered
	recentTime = time.Minute // how long: t= says when a signature was made
)

// recentSignatures are those that were made last. Its zero value is ready to use.
type recentSignatures struct {
	mu   sync.Mutex
	list [recentMost]*recentSignature
	next int // the one that is replaced next
}

// recentSignature is the signatures of one message. Whoever finds it before they are made waits for them.
type recentSignature struct {
	of     [sha256.Size]byte
	at     time.Time
	once   sync.Once
	fields []byte
	err    error
}

// signatureOf names all that signatures are of, apart from when they are made.
func signatureOf(names []string, bodyHash string, signed []byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write([]byte(strings.Join(names, ":") + "\n" + bodyHash + "\n"))
	h.Write(signed)
	return [sha256.Size]byte(h.Sum(nil))
}

// of returns the signatures of something, and makes them where there are none of late. The caller does not change them.
func (r *recentSignatures) of(what [sha256.Size]byte, now time.Time, make func() ([]byte, error)) ([]byte, error) {
	s := r.find(what, now)
	s.once.Do(func() { s.fields, s.err = make() })
	return slices.Clip(s.fields), s.err
}

func (r *recentSignatures) find(what [sha256.Size]byte, now time.Time) *recentSignature {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.list {
		if s != nil && s.of == what {
			if age := now.Sub(s.at); age >= 0 && age < recentTime {
				return s
			}
		}
	}
	s := &recentSignature{of: what, at: now}
	r.list[r.next] = s
	r.next = (r.next + 1) % recentMost
	return s
}
