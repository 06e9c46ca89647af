package meaning

import (
	"context"
	"strings"
)

// maxRecord is the most that is stored of a mail: a longer row would take a whole page of the database more.
const maxRecord = 2000

// Text is what of a mail is read: its Passage and its Lead.
type Text struct{ Whole, Lead string }

// Record reads a mail and returns what is stored of it: a vector for each of its texts, the mean of that of the whole
// and that of its beginning, which says more than the rest; then the marks of the last text; then one byte, how many
// marks these are. Of mail in another language than English there are no marks, but what the student makes of the last
// text; in another script than Latin there are no vectors, either. A language that nobody knows has no record. Case is
// left out: to the encoder "Order" and "order" are two words, and people who search type in small letters. It ends
// early with the error of ctx.
func (e *Encoder) Record(ctx context.Context, texts []Text) ([]byte, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var record []byte
	var last reading
	other := look(texts[len(texts)-1].Whole)
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if foreign(text.Whole) {
			continue
		}
		last = e.read(!other.sure, strings.ToLower(text.Whole))[0]
		if text.Lead != "" && text.Lead != text.Whole {
			add(last.direction, e.direction(strings.ToLower(text.Lead)))
		}
		record = append(record, round(last.direction)...)
	}
	if other.sure {
		return other.append(record), nil
	}
	if len(record) == 0 {
		return nil, nil
	}
	marks := e.model().marks(last, min(maxMarks, (maxRecord-1-len(record))/markSize))
	record = append(record, marks...)
	return append(record, byte(len(marks)/markSize)), nil
}

// split takes a record apart whose vectors have the given size. Vectors without marks are a record too: those of an
// endpoint. It is not ok if it is another model's.
func split(record []byte, size int) (vectors []byte, marks Marks, ok bool) {
	if size == 0 || len(record) == 0 {
		return nil, nil, false
	}
	if len(record)%size == 0 {
		return record, nil, true
	}
	n := int(record[len(record)-1])
	at := len(record) - 1 - n*markSize
	if n > maxMarks || at <= 0 || at%size != 0 {
		return nil, nil, false
	}
	return record[:at], Marks(record[at : len(record)-1]), true
}
