package service

import (
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Rates are how many requests over HTTP may be made in a minute; 0: any number.
type Rates struct {
	Key     int // with one key
	Address int // from one IPv4 address or IPv6 /64
}

// RatePolicy names what is limited.
type RatePolicy string

const (
	RateKey     RatePolicy = "key"
	RateAddress RatePolicy = "address"
)

// RateWindow is the time that a quota is for.
const RateWindow = time.Minute

// Rate is where a caller stands with one of the limits.
type Rate struct {
	Policy RatePolicy
	Quota  int           // requests in RateWindow
	Left   int           // requests that can be made at once
	Reset  time.Duration // until all of the quota is there again; where none is left, until the next request
}

// rates holds the buckets of keys and of addresses. A bucket fills steadily and holds a minute's quota; each request
// takes one from it. They are in memory: each node has its own.
type rates struct {
	keys      buckets[[32]byte]
	addresses buckets[string]
	refused   [2]atomic.Int64 // keys, addresses
}

// Admit counts a request against the limits of its key and of its client, and says where these stand. An error says
// that there were too many. The operator's token is not limited, nor are programs on this machine by their address. A
// key is counted by what it looks like, before anybody asks the store for it; one that the service has not met yet
// counts as soon as Authenticate has found it.
func (s *Service) Admit(client netip.Addr, token mailbox.Secret) (list []Rate, err error) {
	limits := s.live().Rates
	if limits == (Rates{}) || token != "" && s.isOperator(token) {
		return nil, nil
	}
	now := s.opt.Now()
	if limits.Address > 0 && !client.IsLoopback() {
		left, wait := s.rates.addresses.take(clientNetwork(client), limits.Address, now, true)
		list = append(list, rateOf(RateAddress, limits.Address, left, wait))
		if wait > 0 {
			s.rates.refused[1].Add(1)
			return list, tooMany("come from this address", limits.Address, wait)
		}
	}
	if limits.Key > 0 && token != "" {
		left, wait := s.rates.keys.take(token.Digest(), limits.Key, now, false)
		list = append(list, rateOf(RateKey, limits.Key, left, wait))
		if wait > 0 {
			s.rates.refused[0].Add(1)
			return list, tooMany("be made with this key", limits.Key, wait)
		}
	}
	return list, nil
}

// meet has a key count that was just found. One that another key has made counts with that.
func (s *Service) meet(key mailbox.Key) {
	if quota := s.live().Rates.Key; quota > 0 {
		counts := key.Digest
		copy(counts[:], key.Restriction().Maker)
		s.rates.keys.meet(key.Digest, counts, quota, s.opt.Now())
	}
}

// RateLimited counts the requests that were refused because there were too many with a key, or from an address.
func (s *Service) RateLimited(of RatePolicy) int64 {
	return s.rates.refused[map[RatePolicy]int{RateKey: 0, RateAddress: 1}[of]].Load()
}

func rateOf(of RatePolicy, quota int, left float64, wait time.Duration) Rate {
	switch {
	case wait == 0 && left < 1: // the next one
		wait = filling(1-left, quota)
	case wait == 0:
		wait = filling(float64(quota)-left, quota)
	}
	return Rate{Policy: of, Quota: quota, Left: int(left), Reset: wait}
}

func tooMany(what string, quota int, wait time.Duration) error {
	return &mailbox.Error{Kind: mailbox.Limited, Code: "rate_limited", RetryAfter: max(wait, time.Second),
		Message: fmt.Sprintf("Too many requests: %d a minute can %s. Wait before the next.", quota, what)}
}

// maxBuckets bounds how many keys, and how many addresses, are remembered.
const maxBuckets = 1 << 16

// buckets are the buckets of all keys, or of all addresses. One that is not there is full.
type buckets[K comparable] struct {
	mu sync.Mutex
	by map[K]bucket[K]
}

type bucket[K comparable] struct {
	left float64 // at that time
	at   time.Time
	as   *K // another that it is taken from; nil: this one
}

// filling is how long it takes until so much more is in a bucket.
func filling(amount float64, quota int) time.Duration {
	return time.Duration(amount / float64(quota) * float64(RateWindow))
}

func (b bucket[K]) now(quota int, now time.Time) bucket[K] {
	gained := float64(now.Sub(b.at)) / float64(RateWindow) * float64(quota)
	b.left, b.at = min(b.left+max(gained, 0), float64(quota)), now
	return b
}

// take takes one from a bucket, and says what is left, and where there was none how long to wait for it. A bucket that
// is not there is only made where create says so.
func (bs *buckets[K]) take(key K, quota int, now time.Time, create bool) (left float64, wait time.Duration) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b, known := bs.by[key]
	if b.as != nil {
		key, create = *b.as, true
		b, known = bs.by[key]
	}
	if !known {
		b = bucket[K]{left: float64(quota), at: now}
	}
	b = b.now(quota, now)
	if b.left < 1 {
		return 0, max(filling(1-b.left, quota), time.Millisecond)
	}
	b.left--
	if known || create {
		bs.putLocked(key, b, quota)
	}
	return b.left, 0
}

// meet has a key take from its bucket, or from that of another, as which it counts. Where there was none, one was taken
// from it.
func (bs *buckets[K]) meet(key, as K, quota int, now time.Time) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b, known := bs.by[key]; known && (key == as || b.as != nil && *b.as == as) {
		return
	}
	if key != as {
		bs.putLocked(key, bucket[K]{at: now, as: &as}, quota)
	}
	b, known := bs.by[as]
	if !known {
		b = bucket[K]{left: float64(quota), at: now}
	}
	b.left = max(b.left-1, 0)
	bs.putLocked(as, b, quota)
}

// inherit gives a key as much as another has left, so that nobody gets more by changing keys.
func (bs *buckets[K]) inherit(key, from K) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if b, known := bs.by[from]; known {
		bs.by[key] = b
	}
}

func (bs *buckets[K]) putLocked(key K, b bucket[K], quota int) {
	if bs.by == nil {
		bs.by = make(map[K]bucket[K])
	}
	if _, known := bs.by[key]; !known && len(bs.by) >= maxBuckets {
		bs.makeRoomLocked(quota, b.at)
	}
	bs.by[key] = b
}

// roomLook is how many buckets are looked at to make room for another.
const roomLook = 32

// makeRoomLocked forgets the fullest of some buckets, and all that are full: nobody notices those.
func (bs *buckets[K]) makeRoomLocked(quota int, now time.Time) {
	var fullest K
	most, looked := -1.0, 0
	for key, b := range bs.by {
		left := b.now(quota, now).left
		if left >= float64(quota) {
			delete(bs.by, key)
		} else if left > most {
			fullest, most = key, left
		}
		if looked++; looked == roomLook {
			break
		}
	}
	if len(bs.by) >= maxBuckets {
		delete(bs.by, fullest)
	}
}
