package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/client"
)

func (p *program) exportCommand() *cobra.Command {
	var format string
	var force bool
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Save all messages of the mailbox",
		Long: `Save all messages of the mailbox in one file: an mbox, or a zip of .eml files with an
index. The ending of the file says which, or --format.

A connection that breaks is made again, and goes on where it broke. What was interrupted
goes on when the same command is run again: until all of it is there, it is in FILE.part.`,
		Example: "  mailkin export robin.mbox\n  mailkin export robin.zip\n" +
			"  mailkin export --format mbox - | gzip > robin.mbox.gz",
		Args: oneArgument("say which file to write: a name that ends in .mbox or .zip, or - for standard output"),
	}
	cmd.Flags().StringVar(&format, "format", "", "mbox or zip")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "overwrite a file that is there")
	return p.remote(cmd, func(s *session, args []string) error {
		if format == "" {
			format = strings.TrimPrefix(filepath.Ext(args[0]), ".")
		}
		if format != "mbox" && format != "zip" {
			return usage("say what to export with --format: mbox or zip")
		}
		if args[0] == "-" {
			return s.exportTo(s.out.bytes(), client.ExportOptions{Format: format}, 0)
		}
		if isThere(args[0]) && !force {
			return &fault{status: exitFailed, text: args[0] + " is already there",
				next: "Overwrite it with --force, or choose another name."}
		}
		x := &exporter{session: s, file: args[0]}
		if stats, err := s.c.Stats(s.ctx); err == nil { // only to show how far it is
			x.about = stats.StorageBytes
		}
		if err := x.run(format); err != nil {
			return err
		}
		return s.show(map[string]any{"file": args[0], "format": format, "messages": x.messages},
			func() error { return s.out.text(line(args[0])) })
	})
}

// exportTo writes an export to its end, or to where it breaks off. It shows how far it has come; 0: nobody knows how
// much comes.
func (s *session) exportTo(w io.Writer, o client.ExportOptions, about int64) error {
	d, err := s.c.Export(s.ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	d.Length = about
	return s.copyFile(w, d)
}

// exporter saves a mailbox in a file.
type exporter struct {
	*session
	file     string
	messages int
	about    int64 // bytes of all messages; 0: not known
}

func (x *exporter) run(format string) error {
	part, kept, save := x.file+".part", x.file+".part", x.saveMbox
	if format == "zip" {
		kept, save = x.file+".parts", x.saveZip
	}
	if err := save(part); err != nil {
		return x.explainPart(kept, err)
	}
	if err := os.Rename(part, x.file); err != nil {
		return failure{err}
	}
	return nil
}

// explainPart says what to do about an export that did not come to its end.
func (x *exporter) explainPart(part string, err error) error {
	var refused *client.Error
	switch {
	case errors.As(err, &refused) && refused.Code == "invalid_after":
		return &fault{status: exitFailed, text: part + " is of another mailbox",
			next: "Delete it, or choose another name.", err: err}
	case errors.As(err, &refused):
		return err
	}
	if isThere(part) {
		x.err.say("What is there is in %s; the same command goes on from there.", part)
	}
	return err
}

const (
	exportTries = 4                      // how often a connection is made again without getting any further
	exportPause = 250 * time.Millisecond // before the first time; then four times as long each time
)

// again runs one after the other of what an export is made of, until it is done or does not get any further: step
// says whether it got further before it failed.
func (x *exporter) again(step func() (further bool, err error)) error {
	for failed := 0; ; {
		further, err := step()
		if err == nil {
			return nil
		}
		if further {
			failed = 0
		}
		failed++
		var refused *client.Error
		if errors.As(err, &refused) && refused.Status < 500 || errors.As(err, new(failure)) || failed >= exportTries ||
			x.ctx.Err() != nil {
			return err
		}
		select {
		case <-x.ctx.Done():
			return err
		case <-time.After(exportPause << (2 * (failed - 1))):
		}
	}
}

// saveMbox saves an mbox, from the last whole message on that is there.
func (x *exporter) saveMbox(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return failure{err}
	}
	defer func() { _ = f.Close() }() // it is closed below where that matters
	have := &mboxScan{}
	if _, err := io.Copy(have, f); err != nil {
		return failure{err}
	}
	err = x.again(func() (further bool, err error) {
		// the last message may be there in part
		had := have.back()
		if err := errors.Join(f.Truncate(have.at), seekTo(f, have.at)); err != nil {
			return false, failure{err}
		}
		err = x.exportTo(io.MultiWriter(f, have), client.ExportOptions{Format: "mbox", After: had}, x.about-have.at)
		return have.whole != had, err
	})
	if err != nil {
		if have.back(); have.at == 0 {
			_ = os.Remove(path) // there is nothing to go on from
		}
		return err
	}
	x.messages = have.messages
	if err := f.Close(); err != nil {
		return failure{err}
	}
	return nil
}

func seekTo(f *os.File, at int64) error {
	_, err := f.Seek(at, io.SeekStart)
	return err
}

// mboxScan finds messages in an mbox that is written to it.
type mboxScan struct {
	at       int64  // bytes
	begins   int64  // where the last message begins
	messages int    // that have begun
	whole    string // the cursor of the last one that is there to its end; empty: there is none
	last     string // of the last message
	line     []byte // the beginning of the line that is being read
	length   int64  // of that line
}

// scanned is how much of a line is looked at.
const scanned = 200

const cursorField = "X-Mailkin-Cursor: "

func (m *mboxScan) Write(p []byte) (int, error) {
	for _, b := range p {
		m.length++
		if b != '\n' {
			if len(m.line) < scanned {
				m.line = append(m.line, b)
			}
			continue
		}
		m.endLine(string(m.line))
		m.at += m.length
		m.line, m.length = m.line[:0], 0
	}
	return len(p), nil
}

func (m *mboxScan) endLine(line string) {
	if strings.HasPrefix(line, "From ") { // in a message it would be quoted
		m.begins, m.whole, m.last = m.at, m.last, ""
		m.messages++
	} else if cursor, ok := strings.CutPrefix(line, cursorField); ok && m.last == "" {
		m.last = cursor
	}
}

// back goes back to the end of the last message that is there as a whole, and returns its cursor.
func (m *mboxScan) back() (cursor string) {
	if m.messages > 0 {
		m.messages--
	}
	m.at, m.last = m.begins, m.whole
	m.line, m.length = m.line[:0], 0
	return m.whole
}

// isThere tells whether there is such a file.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// partName is the name of a part of a zip.
func partName(folder string, n int) string { return filepath.Join(folder, fmt.Sprintf("%04d.zip", n)) }
