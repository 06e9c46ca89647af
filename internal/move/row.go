package move

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// Values of a row in one form, whichever store they come from: each a letter for its kind, and a number or a length
// with bytes.
const (
	kindNull   = 'n'
	kindNumber = 'i'
	kindText   = 't'
	kindBytes  = 'b'
)

// encodeRow appends a row of int64, string, []byte and nil.
func encodeRow(b []byte, row []any) []byte {
	for _, v := range row {
		switch v := v.(type) {
		case int64:
			b = binary.BigEndian.AppendUint64(append(b, kindNumber), uint64(v))
		case string:
			b = append(binary.AppendUvarint(append(b, kindText), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(append(b, kindBytes), uint64(len(v))), v...)
		default:
			b = append(b, kindNull)
		}
	}
	return b
}

var errRow = errors.New("the note of how far a move has come cannot be read")

// decodeRow is the other way round; nothing is nil.
func decodeRow(b []byte) (row []any, err error) {
	for len(b) > 0 {
		kind, rest := b[0], b[1:]
		switch kind {
		case kindNull:
			row, b = append(row, nil), rest
			continue
		case kindNumber:
			if len(rest) < 8 {
				return nil, errRow
			}
			row, b = append(row, int64(binary.BigEndian.Uint64(rest))), rest[8:]
			continue
		}
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) || kind != kindText && kind != kindBytes {
			return nil, errRow
		}
		value := rest[n : n+int(size)]
		if kind == kindText {
			row = append(row, string(value))
		} else {
			row = append(row, value)
		}
		b = rest[n+int(size):]
	}
	return row, nil
}

// rowSize is about how much memory a row takes.
func rowSize(row []any) int {
	size := 32 * len(row)
	for _, v := range row {
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	return size
}

// tableSum is the sum of rows in any order: how many there are, and their digests added up.
type tableSum struct {
	rows   int64
	digest [2]uint64
	buf    []byte
}

// add adds a row. Text is bytes in some stores, so they count alike.
func (s *tableSum) add(row []any) {
	for i, v := range row {
		if text, ok := v.(string); ok {
			row[i] = []byte(text)
		}
	}
	s.buf = encodeRow(s.buf[:0], row)
	sum := sha256.Sum256(s.buf)
	s.rows++
	for i := range s.digest {
		s.digest[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

func (s *tableSum) same(as *tableSum) bool { return s.rows == as.rows && s.digest == as.digest }
