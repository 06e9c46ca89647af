package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// auditLogCommand is the list of the audit log, and what can be done with all of it.
func (p *program) auditLogCommand() *cobra.Command {
	cmd := p.auditCommand()
	cmd.Short = "List, export and verify the audit log, as operator"
	cmd.AddCommand(p.auditExportCommand(), p.auditVerifyCommand())
	return cmd
}

func (p *program) auditExportCommand() *cobra.Command {
	var after int64
	cmd := p.remote(&cobra.Command{
		Use:     "export",
		Short:   "Print the whole audit log as lines of JSON, oldest first",
		Example: `  mailkin audit export >> audit.jsonl --after 1200`,
	}, func(s *session, _ []string) error {
		d, err := s.c.ExportAudit(s.ctx, after)
		if err != nil {
			return err
		}
		defer func() { _ = d.Close() }() // only read from
		_, err = io.Copy(s.p.stdout, d)
		return err
	})
	cmd.Flags().Int64Var(&after, "after", 0, "only entries after this seq")
	return cmd
}

func (p *program) auditVerifyCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "verify [FILE]",
		Short: "Check that nothing was changed in the audit log, or in an export of it",
		Long: `Check that nothing was changed in the audit log, or in an export of it: each entry has the hash of the
one before. The first entry that does not fit is named, and the exit status is 1.

The newest entry's seq and hash are printed: whoever notes them elsewhere can tell later whether
the log was rewritten as a whole.`,
		Args: cobra.MaximumNArgs(1),
	}, func(s *session, args []string) error {
		var r *api.AuditReport
		var err error
		if len(args) == 0 {
			r, err = s.c.VerifyAudit(s.ctx)
		} else {
			r, err = verifyFile(args[0])
		}
		if err != nil {
			return err
		}
		err = s.show(r, func() error {
			return s.out.fields(field{"entries", number(r.Entries)}, field{"unchained", number(r.Unchained)},
				field{"head", fmt.Sprintf("%d %s", r.Head.Seq, r.Head.Hash)},
				field{"base", fmt.Sprintf("%d %s", r.Base.Seq, r.Base.Hash)})
		})
		if err == nil && !r.OK {
			err = failure{fmt.Errorf("the audit log was changed: entry %d: %s", r.Broken.Seq, r.Broken.Reason)}
		}
		return err
	})
}

// verifyFile checks an export. It may begin anywhere in the chain.
func verifyFile(path string) (*api.AuditReport, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault{status: exitFailed, text: "there is no file " + path,
			next: "\"mailkin audit export\" prints what goes into one."}
	}
	if err != nil {
		return nil, failure{err}
	}
	defer func() { _ = f.Close() }() // only read from
	var check mailbox.AuditCheck
	var base mailbox.AuditLink
	lines := json.NewDecoder(bufio.NewReader(f))
	for number := 1; ; number++ {
		var text json.RawMessage
		if err := lines.Decode(&text); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, failure{fmt.Errorf("%s: entry %d of the file cannot be read: it is no export of the audit log, or it "+
				"was changed or cut off there", path, number)}
		}
		e, foreign := auditEntry(text)
		a := auditOf(e)
		if check.Entries == 0 && check.Broken == nil && a.Seq > 0 {
			base = mailbox.AuditLink{Seq: a.Seq - 1, Hash: a.Previous}
			check.Last = base
		}
		if foreign != "" {
			check.Break(check.Last.Seq+1, a.At, foreign)
		}
		check.Add(a)
	}
	if check.Entries == 0 && check.Broken == nil {
		return nil, failure{fmt.Errorf("there are no entries in %s: is it the whole export?", path)}
	}
	link := func(l mailbox.AuditLink) api.AuditLink {
		return api.AuditLink{Seq: l.Seq, Hash: hex.EncodeToString(l.Hash[:])}
	}
	r := &api.AuditReport{OK: check.Broken == nil, Entries: check.Entries, Unchained: check.Unchained,
		Head: link(check.Last), Base: link(base)}
	if b := check.Broken; b != nil {
		r.Broken = &api.AuditBreak{Seq: b.Seq, At: api.Time{Time: b.At}, Reason: b.Reason}
	}
	return r, nil
}

// auditEntry reads a line of an export. Whatever is in it must be what its hash is made of, and be there once: another
// reader would believe the rest, too.
func auditEntry(text json.RawMessage) (e api.AuditEntry, foreign string) {
	if err := json.Unmarshal(text, &e); err != nil {
		return e, "it is no entry of the audit log: it was changed"
	}
	var known map[string]any
	own, _ := json.Marshal(e)
	_ = json.Unmarshal(own, &known)
	tokens := json.NewDecoder(bytes.NewReader(text))
	_, _ = tokens.Token() // the bracket
	for tokens.More() {
		name, _ := tokens.Token()
		member, _ := name.(string)
		value, ok := known[member]
		var given any
		if err := tokens.Decode(&given); err != nil || !ok || !reflect.DeepEqual(given, value) {
			return e, fmt.Sprintf("%q in it is not covered by its hash: it was added or changed", member)
		}
		delete(known, member)
	}
	if words := auditOf(e); e.Who != "" && e.Who != words.Who() || e.Deed != "" && e.Deed != words.Deed() {
		return e, "its words do not say what it says: they were changed"
	}
	return e, ""
}

// auditOf is an entry as its hash was made of it.
func auditOf(e api.AuditEntry) mailbox.Audit {
	a := mailbox.Audit{At: e.At.Time, Action: e.Action, Mailbox: e.Mailbox, Note: e.Note, Actor: e.Actor, Seq: e.Seq,
		AuditFacts: mailbox.AuditFacts{Name: e.Name, Role: mailbox.Role(e.Role), Credential: e.Credential,
			Client: e.Client, Request: e.RequestID}}
	for text, into := range map[string]*[32]byte{e.Previous: &a.Previous, e.Hash: &a.Hash} {
		b, _ := hex.DecodeString(text) // one that is none does not fit
		copy(into[:], b)
	}
	return a
}
