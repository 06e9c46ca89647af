package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "mailkin %s %s %s/%s\n", app.Version(), runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
			return err
		},
	}
}
