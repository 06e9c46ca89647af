package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/client"
)

func (p *program) attachmentCommand() *cobra.Command {
	var output string
	var force bool
	cmd := &cobra.Command{
		Use:   "attachment ID",
		Short: "Save an attachment",
		Long: `Save an attachment, and print the name of the file. "mailkin read" shows the ids of a message's
attachments. The file gets the attachment's own name, made safe, in the current folder;
one that is there already is left alone unless --force says otherwise.

It comes from the sender of the mail: do not open what you do not trust.`,
		Example: "  mailkin attachment 0199e5a4-…\n  mailkin attachment 0199e5a4-… -o - | pdftotext - -",
		Args:    oneArgument("say which attachment: an id that \"mailkin read\" shows"),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "file or folder to write to; - is standard output")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "overwrite a file that is there")
	return p.onIDs(attachments, false, cmd, func(s *session, args []string) error {
		d, err := s.c.Attachment(s.ctx, args[0], client.Range{})
		if err != nil {
			return err
		}
		defer func() { _ = d.Close() }()
		if output == "-" {
			return s.copyFile(s.out.bytes(), d)
		}
		path := target(output, d.Name)
		if err := s.save(path, d, force); err != nil {
			return err
		}
		return s.show(map[string]any{"id": args[0], "file": path, "content_type": d.Type},
			func() error { return s.out.text(line(path)) })
	})
}

// target is the file that an attachment is written to.
func target(output, name string) string {
	if output == "" {
		output = "."
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() ||
		strings.HasSuffix(output, string(filepath.Separator)) {
		return filepath.Join(output, safeName(name))
	}
	return output
}

// safeName is a name that a file can have without doing harm: no folder, not hidden, not an option, nothing that a
// terminal obeys.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r), r == utf8.RuneError, visible(r) != r:
			return '_'
		}
		return r
	}, name)
	name = strings.TrimRight(strings.TrimSpace(name), ". ")
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") {
		name = "_" + name[1:]
	}
	if strings.Trim(name, "_") == "" {
		return "attachment"
	}
	return shorten(name, mostName)
}

// mostName is how many bytes every file system has for a name, with some to spare for suffixes.
const mostName = 200

// shorten cuts a name in its middle, so that its ending stays.
func shorten(name string, most int) string {
	if len(name) <= most {
		return name
	}
	ext := filepath.Ext(name)
	if len(ext) > 20 {
		ext = ""
	}
	end := most - len(ext)
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + ext
}

// save writes a download to a file. Half a file is taken away again.
func (s *session) save(path string, d *client.Download, force bool) error {
	var f *os.File
	var err error
	if force {
		f, err = os.CreateTemp(filepath.Dir(path), ".mailkin-*")
	} else {
		f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return &fault{status: exitFailed, text: path + " is already there", next: "Overwrite it with --force, or " +
			"choose another name with --output."}
	case err != nil:
		return failure{err}
	}
	err = s.copyFile(f, d)
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = failure{fmt.Errorf("write %s: %w", path, closeErr)}
	}
	if err == nil && force {
		if renameErr := os.Rename(f.Name(), path); renameErr != nil {
			err = failure{renameErr}
		}
	}
	if err != nil {
		_ = os.Remove(f.Name()) // why it is not whole matters more
	}
	return err
}
