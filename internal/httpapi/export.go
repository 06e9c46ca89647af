package httpapi

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/download"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// exports holds the verb that gives all of a mailbox.
type exports interface {
	Export(ctx context.Context, in service.Access, q service.ExportQuery) (*service.Export, error)
}

const (
	exportTime  = 24 * time.Hour // how long a client may take for an export, however fast it is
	exportBytes = 1 << 20        // what an export has in memory: a small message, and what packs and writes it
	exportPiece = 64 << 10       // that is written at a time
	zipMessages = 200_000        // that one zip has at most: what is remembered of each grows with them
)

// exportFormat is a form in which a mailbox is exported.
type exportFormat struct {
	contentType, ending string
	write               func(*bufio.Writer, *service.Export) error
}

var exportFormats = map[string]exportFormat{
	"mbox": {"application/mbox", ".mbox", writeMbox},
	"zip":  {"application/zip", ".zip", writeZip},
}

func (a *API) export(c *call) error {
	name, err := c.params.text("format")
	if err != nil {
		return err
	}
	format, ok := exportFormats[name]
	if !ok {
		return mailbox.InvalidField("format", "The format is mbox or zip.")
	}
	var q service.ExportQuery
	if q.After, err = c.params.text("after"); err != nil {
		return err
	}
	if q.Bytes, err = c.params.maxBytes(); err != nil {
		return err
	}
	held := exportBytes
	if name == "zip" {
		q.Messages = zipMessages
	}
	e, err := a.svc.Export(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	if name == "zip" {
		held += int(min(e.Messages, zipMessages)) * zipRecordSize
	}
	if c.Method != http.MethodHead {
		if err := c.hold(held); err != nil {
			return err
		}
	}
	c.exportHead(e.Address+format.ending, format)
	if c.Method == http.MethodHead {
		return nil
	}
	if err := c.writeExport(e, format); err != nil {
		a.note(c, c.out.status, err)
		panic(http.ErrAbortHandler) // nobody is to take a part of an export for all of it
	}
	return nil
}

// maxBytes is how many bytes of messages are enough; 0: it is not said.
func (p params) maxBytes() (int64, error) {
	value := p.first("max_bytes")
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 1 {
		return 0, mailbox.InvalidField("max_bytes", "max_bytes is a number from 1.")
	}
	return n, nil
}

// exportHead begins an answer of a length that nobody knows. What is in it came from strangers.
func (c *call) exportHead(filename string, f exportFormat) {
	h := c.out.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Content-Disposition", download.Disposition(filename))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h["Cache-Control"] = noStore
	c.out.WriteHeader(http.StatusOK)
}

// writeExport writes an export as it is read from the store, as fast as the client takes it.
func (c *call) writeExport(e *service.Export, f exportFormat) error {
	to := &pacedWriter{call: c, began: time.Now(), most: exportTime}
	return e.Work(to, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, exportPiece)
		if err := f.write(out, e); err != nil {
			return err
		}
		return out.Flush()
	})
}

// isDeleted tells whether a message could not be read to its end because it was deleted meanwhile.
func isDeleted(err error) bool { return mailbox.KindOf(err) == mailbox.NotFound }

// writeZip writes an index of the messages, and then each as a file. Where there are more than one zip has, the last
// line of the index says after which message to go on. A message that is deleted before it was read is in the index
// alone.
func writeZip(out *bufio.Writer, e *service.Export) error {
	z, err := newZipWriter(out)
	if err != nil {
		return err
	}
	err = z.add(zipRecord{}, time.Now(), func(to io.Writer) error { return writeIndex(to, e) })
	if err != nil {
		return err
	}
	err = e.Each(func(m mailbox.Message, _ string, raw io.Reader) error {
		err := z.add(zipRecord{id: m.ID}, m.ReceivedAt, func(to io.Writer) error {
			_, err := io.Copy(to, raw)
			return err
		})
		if isDeleted(err) {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return z.close()
}

// writeIndex writes a line for each message.
func writeIndex(to io.Writer, e *service.Export) error {
	var line []byte
	last := ""
	more, err := e.Rows(func(m mailbox.Message, cursor string) error {
		at := wire.Exported{File: zipName(m.ID), Cursor: cursor}
		line, last = wire.AppendExported(line[:0], &m, e.Address, at), cursor
		_, err := to.Write(append(line, '\n'))
		return err
	})
	if err == nil && more {
		_, err = to.Write(append(wire.AppendExportNext(line[:0], last), '\n'))
	}
	return err
}
