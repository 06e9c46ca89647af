package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) draftsCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "draft",
		Short: "List drafts; write, change, send and delete them",
		Long: `List the drafts of the mailbox that were not sent, newest first. In a pipe each is a line with tabs:
id, version, to (with commas), subject.`,
		Args: listsAlone,
	}
	page.add(cmd)
	cmd = p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list, err := paged(s, page.all, page.Page, s.c.Drafts, s.c.DraftsAll,
			func(l *api.Drafts) *[]api.DraftSummary { return &l.Drafts })
		if err != nil {
			return err
		}
		s.empty(len(list.Drafts), "There are none; \"mailkin draft new\" writes one.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			t := newTable(3, "id", "version", "to", "subject").withIDs(0)
			for _, d := range list.Drafts {
				t.add(d.ID, number(int(d.Version)), strings.Join(d.To, ","), d.Subject)
			}
			return s.out.table(t)
		})
	})
	cmd.AddCommand(p.draftNewCommand(), p.draftShowCommand(), p.draftEditCommand(), p.draftAttachCommand(),
		p.draftDetachCommand(), p.draftSendCommand(), p.draftDeleteCommand())
	return cmd
}

// storedDraft shows a draft that was made or changed, unless it could not be.
func (s *session) storedDraft(d *api.StoredDraft, err error) error {
	if err != nil {
		return err
	}
	return s.show(d, func() error {
		s.err.say("The draft has version %d. \"mailkin draft send %s\" sends it.", d.Version, d.ID)
		return s.out.text(d.ID)
	})
}

func (p *program) draftNewCommand() *cobra.Command {
	var f draftFlags
	var reply, forward string
	cmd := &cobra.Command{
		Use:   "new [TEXT|-]",
		Short: "Write a draft, and print its id",
		Long: `Write a draft, and print its id. Nothing is sent, and everything may be missing until it is. The text
is the argument, or with - what comes on standard input.`,
		Example: "  mailkin draft new --to kim@example.com -s Hello 'It works.'\n  mailkin draft new --reply latest " +
			"'I will be there.'",
		Args: cobra.ArbitraryArgs,
	}
	f.addStored(cmd)
	cmd.Flags().StringVar(&reply, "reply", "", "id of a message that it answers, or latest")
	cmd.Flags().StringVar(&forward, "forward", "", "id of a message that it sends on, or latest")
	cmd.Flags().BoolVar(&f.draft.All, "reply-all", false, "answer everybody on it")
	cmd.Flags().BoolVar(&f.draft.Force, "force", false, "answer also what a program sent")
	return p.remote(cmd, func(s *session, text []string) error {
		if reply != "" && forward != "" {
			return usage("a draft is a reply or a forward, not both")
		}
		f.unfinished = true
		d, closeAll, err := f.build(s, text)
		defer closeAll()
		if err != nil {
			return err
		}
		made, err := s.newDraft(reply, forward, d)
		closeAll()
		return s.storedDraft(made, err)
	})
}

// newDraft keeps a draft that answers a message, sends one on, or neither.
func (s *session) newDraft(reply, forward string, d client.Draft) (*api.StoredDraft, error) {
	if reply == "" && forward == "" {
		return s.c.CreateDraft(s.ctx, d)
	}
	id, err := s.messageID(reply + forward)
	switch {
	case err != nil:
		return nil, err
	case reply != "":
		return s.c.CreateReplyDraft(s.ctx, id, d)
	}
	return s.c.CreateForwardDraft(s.ctx, id, d)
}

// draftArgument wants a command to have a draft.
var draftArgument = oneArgument("say which draft: its id, from \"mailkin draft\"")

func (p *program) draftShowCommand() *cobra.Command {
	return p.onIDs(drafts, false, &cobra.Command{
		Use:   "show ID",
		Short: "Read a draft",
		Args:  draftArgument,
	}, func(s *session, args []string) error {
		d, err := s.c.Draft(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(d, func() error { return s.draftFields(d) })
	})
}

func (s *session) draftFields(d *api.StoredDraft) error {
	list := []field{{"id", d.ID}, {"version", number(int(d.Version))}, {"status", d.Status}, {"from", d.From},
		{"to", strings.Join(d.To, ", ")}, {"cc", strings.Join(d.Cc, ", ")}, {"bcc", strings.Join(d.Bcc, ", ")},
		{"subject", d.Subject}, {"at", s.out.when(d.SendAt)}}
	switch {
	case d.Reply:
		list = append(list, field{"reply to", string(d.EmailID)})
	case d.Forward:
		list = append(list, field{"forward of", string(d.EmailID)})
	}
	for _, f := range d.Attachments {
		list = append(list, field{"attachment " + number(f.N), f.Filename + " (" + bytesText(f.SizeBytes) + ")"})
	}
	if d.Sent != nil {
		list = append(list, field{"sent as", d.Sent.ID})
	}
	if err := s.out.fields(list...); err != nil {
		return err
	}
	text := string(d.Text)
	if text == "" {
		text = string(d.HTML)
	}
	if text == "" {
		return nil
	}
	return s.out.text("\n" + text)
}

func (p *program) draftEditCommand() *cobra.Command {
	var f draftFlags
	var version int64
	cmd := &cobra.Command{
		Use:   "edit ID --version N [TEXT|-]",
		Short: "Change the given parts of a draft",
		Long: `Change the given parts of a draft. --version is the one that you have read: if somebody has changed the
draft since, nothing is changed, and the status is 5.`,
		Example: "  mailkin draft edit ID --version 1 -s 'Hello again'",
		Args:    idAndText,
	}
	f.addStored(cmd)
	cmd.Flags().Int64Var(&version, "version", 0, "version that the change is based on")
	return p.onIDs(drafts, false, cmd, func(s *session, args []string) error {
		if version <= 0 {
			return usage("say with --version which version of the draft the change is based on")
		}
		f.unfinished = true
		d, closeAll, err := f.build(s, args[1:])
		defer closeAll()
		if err != nil {
			return err
		}
		changed, err := s.c.EditDraft(s.ctx, args[0], draftChange(cmd, version, d, len(args) > 1))
		for _, file := range d.Files {
			if err == nil {
				changed, err = s.c.AttachToDraft(s.ctx, args[0], file)
			}
		}
		closeAll()
		return s.storedDraft(changed, err)
	})
}

// draftChange is what the flags that were given change.
func draftChange(cmd *cobra.Command, version int64, d client.Draft, hasText bool) api.DraftChange {
	change := api.DraftChange{Version: version}
	if hasText {
		change.Text = &d.Text
	}
	at := api.Time{Time: d.SendAt}
	for name, set := range map[string]func(){
		"to": func() { change.To = &d.To }, "cc": func() { change.Cc = &d.Cc }, "bcc": func() { change.Bcc = &d.Bcc },
		"subject": func() { change.Subject = &d.Subject }, "from": func() { change.From = &d.From },
		"reply-to": func() { change.ReplyTo = &d.ReplyTo }, "html": func() { change.HTML = &d.HTML },
		"header": func() { change.Headers = &d.Headers }, "tag": func() { change.Tags = &d.Tags },
		"at": func() { change.SendAt = &at },
	} {
		if cmd.Flags().Changed(name) {
			set()
		}
	}
	return change
}

func (p *program) draftAttachCommand() *cobra.Command {
	return p.onIDs(drafts, false, &cobra.Command{
		Use:   "attach ID FILE...",
		Short: "Attach files to a draft",
		Args:  cobra.MinimumNArgs(2),
	}, func(s *session, args []string) error {
		files, closeAll, err := s.openFiles(args[1:])
		defer closeAll()
		var changed *api.StoredDraft
		for _, f := range files {
			if err == nil {
				changed, err = s.c.AttachToDraft(s.ctx, args[0], f)
			}
		}
		closeAll()
		return s.storedDraft(changed, err)
	})
}

func (p *program) draftDetachCommand() *cobra.Command {
	var n int
	cmd := &cobra.Command{
		Use:   "detach ID --number N",
		Short: "Remove a file from a draft; \"mailkin draft show\" has the numbers",
		Args:  draftArgument,
	}
	cmd.Flags().IntVar(&n, "number", 0, "number of the attachment")
	return p.onIDs(drafts, false, cmd, func(s *session, args []string) error {
		return s.storedDraft(s.c.DetachFromDraft(s.ctx, args[0], n))
	})
}

func (p *program) draftSendCommand() *cobra.Command {
	var version int64
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "send ID",
		Short: "Send a draft, once, and print the id of the message",
		Args:  draftArgument,
	}
	cmd.Flags().Int64Var(&version, "version", 0, "send this version and no other")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be sent, and to whom; send nothing")
	return p.onIDs(drafts, false, cmd, func(s *session, args []string) error {
		if dryRun {
			preview, err := s.c.PreviewDraft(s.ctx, args[0], version)
			if err != nil {
				return err
			}
			return s.show(preview, func() error { return s.preview(preview) })
		}
		sent, err := s.c.SendDraft(s.ctx, args[0], version)
		if err != nil {
			return err
		}
		return s.show(sent, func() error {
			s.err.say("It is %s. \"mailkin read %s\" says what becomes of it.", sent.Status, sent.ID)
			return s.out.text(sent.ID)
		})
	})
}

func (p *program) draftDeleteCommand() *cobra.Command {
	return p.onIDs(drafts, false, &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a draft",
		Args:  draftArgument,
	}, func(s *session, args []string) error {
		if err := s.c.DeleteDraft(s.ctx, args[0]); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true}, "The draft is gone.")
	})
}
