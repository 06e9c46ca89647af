package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) extractCommand() *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "extract ID|latest",
		Short: "Print the structured data of a message: orders, receipts, parcels, appointments, codes",
		Long: `Print the structured data of a message. Status 3: there is none of it.

In a pipe each member is a line: its name, a tab, its value.`,
		Example: "  mailkin extract latest --type shipping --json",
		Args:    idArgument,
	}
	cmd.Flags().StringVarP(&kind, "type", "t", api.ExtractAll, "order, receipt, shipping, calendar, code, or all")
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		x, err := s.c.Extract(s.ctx, args[0], kind)
		if err != nil {
			return err
		}
		if err := s.show(x, func() error { return s.extraction(x) }); err != nil {
			return err
		}
		if isBare(x) {
			return nothing("there is no such data in the message")
		}
		return nil
	})
}

// isBare tells of an extraction in which nothing is known.
func isBare(x *api.Extraction) bool {
	for _, r := range x.Records {
		if list, err := members(r); err != nil || len(list) > 1 { // the type is always there
			return false
		}
	}
	return true
}

func (s *session) extraction(x *api.Extraction) error {
	shown := 0
	for _, r := range x.Records {
		list, err := members(r)
		if err != nil {
			return err
		}
		if len(list) < 2 {
			continue
		}
		if shown++; shown > 1 {
			list = append([]field{}, list...)
			if err := s.out.trusted("\n"); err != nil {
				return err
			}
		}
		if err := s.out.fields(list...); err != nil {
			return err
		}
	}
	return nil
}

// members are what is known in a record, in the order of the interface.
func members(r api.Record) ([]field, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	var out []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("read a record: %w", err)
		}
		if text := memberText(value); text != "" {
			out = append(out, field{line(fmt.Sprint(name)), text})
		}
	}
	return out, nil
}

// memberText is a value for people; empty: it is not known.
func memberText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	switch t := strings.TrimSpace(string(value)); t {
	case "null", "[]", "0", "{}":
		return ""
	default:
		return t
	}
}
