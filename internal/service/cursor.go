package service

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Page is which part of a list is wanted: Limit rows from Offset, or those after Cursor.
type Page struct {
	Limit, Offset int
	Cursor        string
}

// List is a part of a list. Next is the cursor of what follows, empty at the end.
type List[T any] struct {
	Items []T
	Next  string
}

// A cursor names the last row that was shown by its place in the list, which never changes, so that it stays right
// while new rows arrive. Its first byte says of which list, so that one list's cursor is no cursor of another.
const cursorVersion = 1

type cursorKind byte

const (
	cursorMessage cursorKind = 'm'
	cursorThread  cursorKind = 't'
	cursorReply   cursorKind = 'r'
	cursorMailbox cursorKind = 'b'
	cursorReject  cursorKind = 'x'
	cursorAudit   cursorKind = 'a'

	cursorSuppression cursorKind = 's'
	cursorListed      cursorKind = 'l'
	cursorQuarantine  cursorKind = 'q'
	cursorFound       cursorKind = 'f'
	cursorHook        cursorKind = 'h'
	cursorDraft       cursorKind = 'd'
	cursorReport      cursorKind = 'p'
	cursorReview      cursorKind = 'v'
	cursorThreadTime  cursorKind = 'T'
	cursorQueue       cursorKind = 'Q'
)

func encodeCursor(kind cursorKind, place int64) string {
	b := binary.AppendUvarint([]byte{cursorVersion, byte(kind)}, uint64(place))
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodeCursor reads a cursor of a kind: 0 for none.
func decodeCursor(kind cursorKind, s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 3 || b[0] != cursorVersion || b[1] != byte(kind) {
		return 0, errCursor
	}
	place, n := binary.Uvarint(b[2:])
	if n != len(b)-2 || place == 0 || place > 1<<62 || encodeCursor(kind, int64(place)) != s {
		return 0, errCursor
	}
	return int64(place), nil
}

var errCursor = mailbox.InvalidField("cursor", "This cursor is not one of ours; begin the list again without it.")

// list cuts one row more than was asked for off a page, and makes the cursor that leads to it.
func list[T any](rows []T, limit int, kind cursorKind, place func(T) int64) List[T] {
	if len(rows) <= limit {
		return List[T]{Items: rows}
	}
	rows = rows[:limit]
	return List[T]{Items: rows, Next: encodeCursor(kind, place(rows[limit-1]))}
}
