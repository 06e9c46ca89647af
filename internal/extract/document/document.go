package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/extract/document/bound"
)

// Status is how the reading of an attachment ended.
type Status string

// The ways it ends.
const (
	Done        Status = "done"        // the text is all there is, or as much as was asked for; it may be empty
	Unsupported Status = "unsupported" // not a format that has text we can read; or it needs a password
	Failed      Status = "failed"      // a known format, but broken
	TooLarge    Status = "too_large"   // it is, or what it unpacks to is
)

// Text is what was read of an attachment. Text is valid UTF-8 without control characters other than tab and line feed.
type Text struct {
	Status    Status
	Text      string
	Truncated bool // there is more
}

// Part is what the mail says about an attachment.
type Part struct {
	ContentType string // type/subtype; parameters are passed over
	Charset     string
	Filename    string
	Size        int64 // decoded bytes; 0 where not known
}

// Limits bound what one attachment may cost. A zero field means its default.
type Limits struct {
	Size   int64         // bytes of the attachment
	Text   int           // bytes of text given
	Memory int64         // bytes held while it is read, the attachment included; also what an archive may unpack to
	Time   time.Duration // from the call to its return, give or take some milliseconds; or what Clock counts meanwhile

	// Clock is what Time is measured by; nil: the time of day. The processor time of the reading thread makes the
	// result the same on a busy machine, where the time of day then ends a reading only after clockPatience times as
	// long.
	Clock func() time.Duration

	// Unpack is how many bytes of XML may still be read, out of archives or not, by all readings that share it; nil:
	// each has Memory.
	Unpack *int64
}

const clockPatience = 12

// DefaultLimits fits invoices, letters and reports.
func DefaultLimits() Limits {
	return Limits{Size: 25 << 20, Text: 256 << 10, Memory: 96 << 20, Time: 5 * time.Second}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Size <= 0 {
		l.Size = d.Size
	}
	if l.Text <= 0 {
		l.Text = d.Text
	}
	if l.Memory <= 0 {
		l.Memory = d.Memory
	}
	if l.Time <= 0 {
		l.Time = d.Time
	}
	return l
}

// Read reads the text of an attachment from its decoded bytes. It takes from r what it needs, which may be less than
// there is. An r that fails makes the reading Failed; callers that must tell that from a broken document look at r.
func Read(ctx context.Context, p Part, r io.Reader, lim Limits) (t Text) {
	lim = lim.orDefault()
	patience := lim.Time
	if lim.Clock != nil {
		patience *= clockPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer func() {
		if recover() != nil { // a mistake of ours must not end the process: the next start would read the same bytes
			t = Text{Status: Failed}
		}
	}()
	return read(ctx, p, r, lim)
}

// errFormat is a document that is not what it says, or broken. errKind is one of a kind that is not read.
var (
	errFormat = errors.New("document: broken")
	errKind   = errors.New("document: not a kind that is read")
)

// read is Read without its net.
func read(ctx context.Context, p Part, r io.Reader, lim Limits) Text {
	f := formatOf(p)
	if f == unreadable {
		return Text{Status: Unsupported}
	}
	if p.Size > lim.Size {
		return Text{Status: TooLarge}
	}
	head := make([]byte, HeadBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return Text{Status: Failed}
	}
	head = head[:n]
	if f = sniff(f, head); f == unreadable {
		return Text{Status: Unsupported}
	}
	d := &document{part: p, lim: lim, bud: bound.New(ctx, lim.Memory), out: lines{max: lim.Text}}
	if lim.Unpack == nil {
		own := lim.Memory
		d.lim.Unpack = &own
	}
	if lim.Clock != nil {
		d.bud.Until(lim.Clock, lim.Clock()+lim.Time)
	}
	return d.result(d.load(f, io.MultiReader(bytes.NewReader(head), r)))
}

// document is an attachment that is being read.
type document struct {
	part Part
	lim  Limits
	bud  *bound.Budget
	data []byte
	out  lines
	cut  bool // there is more than was read
}

// load reads the bytes, and then their text into d.out.
func (d *document) load(f format, r io.Reader) error {
	data, err := d.bud.Read(r, f.need(d.lim))
	d.data = data
	switch {
	case err == bound.ErrMore && f.cost() == Cheap:
		d.cut = true
	case err != nil:
		return err
	}
	return d.extract(f)
}

// result turns the end of the reading into what is given. A limit that was met after some text does not take it away.
func (d *document) result(err error) Text {
	text := d.out.String()
	over := d.bud.Over() || d.bud.Short() || errors.Is(err, bound.ErrMore) || errors.Is(err, bound.ErrOver)
	switch {
	case err == nil && !over, over && text != "":
		return Text{Status: Done, Text: text, Truncated: d.cut || d.out.full || over}
	case errors.Is(err, errKind):
		return Text{Status: Unsupported}
	case errors.Is(err, bound.ErrMore), d.bud.Short():
		return Text{Status: TooLarge}
	}
	return Text{Status: Failed}
}
