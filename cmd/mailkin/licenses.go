package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// licenses has the licence texts of everything that is linked into the program, as tools/release wrote them.
//
//go:embed licenses.txt.gz
var licenses []byte

func (p *program) licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of this program and of everything that is in it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := gzip.NewReader(bytes.NewReader(licenses))
			if err != nil {
				return err
			}
			_, err = io.Copy(p.stdout, text)
			return err
		},
	}
}
