package bound

import (
	"errors"
	"io"
)

// first is the room that is made at first; step is how much is read before the time is looked at.
const (
	first = 6 << 10
	step  = 64 << 10
)

// The reasons for which not everything was read, besides those of the reader.
var (
	ErrMore = errors.New("there is more than was asked for")
	ErrOver = errors.New("time or memory is used up")
)

// Read reads r to its end, but no more than most bytes, and takes what it holds from the budget; the caller gives back
// the capacity of what it got. With an error comes what was read until then, because the first half of a document is
// worth reading too.
func (b *Budget) Read(r io.Reader, most int64) ([]byte, error) {
	var data []byte
	for b.Pause() {
		if int64(len(data)) > most {
			return data[:most], ErrMore
		}
		if len(data) == cap(data) && !b.grow(&data, most) {
			return data, ErrOver
		}
		n, err := r.Read(data[len(data):min(cap(data), len(data)+step)])
		data = data[:len(data)+n]
		switch {
		case err == nil:
		case err == io.EOF && int64(len(data)) <= most:
			return data, nil
		case err == io.EOF:
			return data[:most], ErrMore
		default:
			return data, err
		}
	}
	return data, ErrOver
}

// grow doubles the room, up to one byte more than most. Both the old and the new are held for a moment.
func (b *Budget) grow(data *[]byte, most int64) bool {
	old := *data
	room := min(max(int64(cap(old))*2, first), most+1)
	if room > b.memory {
		room = b.memory
	}
	if room <= int64(cap(old)) {
		b.short = true
		return false
	}
	b.Take(int(room))
	*data = append(make([]byte, 0, room), old...)
	b.Give(cap(old))
	return true
}
