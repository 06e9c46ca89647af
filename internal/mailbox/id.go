package mailbox

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// ID names a message, thread, key or attachment in the interface: a UUID of version 7, so ids sort by time.
//
// The twelve lowest bits of a new id are zero. They number what belongs to the named thing: an attachment's id is its
// message's id with the part's index there, so that finding an attachment needs no index of its own.
type ID [16]byte

// MaxPart is the highest part index an id can carry.
const MaxPart = 1<<12 - 1

// NewID makes an id for the given time. Ids of one process that are made at different times sort by them to a quarter
// of a microsecond.
func NewID(now time.Time) ID {
	var id ID
	ms := now.UnixMilli()
	binary.BigEndian.PutUint64(id[0:8], uint64(ms)<<16)
	frac := uint16(now.Nanosecond() % 1e6 * 4096 / 1e6)
	binary.BigEndian.PutUint16(id[6:8], 0x7000|frac)
	_, _ = rand.Read(id[8:]) // never fails since Go 1.24
	id[8] = id[8]&0x3f | 0x80
	id[14] &= 0xf0
	id[15] = 0
	return id
}

// Part returns the id of the n-th part of the thing that id names.
func (id ID) Part(n int) ID {
	id[14] = id[14]&0xf0 | byte(n>>8&0x0f)
	id[15] = byte(n)
	return id
}

// Whole splits a part's id into the id of its message and its index.
func (id ID) Whole() (ID, int) {
	n := int(id[14]&0x0f)<<8 | int(id[15])
	return id.Part(0), n
}

// Copy returns the id of a mailbox's copy of the message that id names. It is derived, so it can be found again.
func (id ID) Copy(num Num) ID {
	for i := range 5 {
		id[13-i] ^= byte(num >> (8 * i))
	}
	return id
}

// Time is when the id was made, to the millisecond.
func (id ID) Time() time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[0:8]) >> 16)).UTC()
}

func (id ID) IsZero() bool { return id == ID{} }

func (id ID) String() string { return string(id.Append(make([]byte, 0, 36))) }

// Append writes what String returns.
func (id ID) Append(dst []byte) []byte {
	dst = append(hex.AppendEncode(dst, id[0:4]), '-')
	dst = append(hex.AppendEncode(dst, id[4:6]), '-')
	dst = append(hex.AppendEncode(dst, id[6:8]), '-')
	dst = append(hex.AppendEncode(dst, id[8:10]), '-')
	return hex.AppendEncode(dst, id[10:16])
}

// ParseID reads the form that String writes, in either case. What is not one of our ids is simply not found, so the
// answer is a bool and not an error.
func ParseID(s string) (ID, bool) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, false
	}
	compact := s[0:8] + s[9:13] + s[14:18] + s[19:23] + s[24:36]
	if _, err := hex.Decode(id[:], []byte(compact)); err != nil {
		return ID{}, false
	}
	return id, true
}
