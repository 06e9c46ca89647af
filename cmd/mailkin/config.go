package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings in force and where each came from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, values, err := config.Explain(p.source(cmd))
			if err != nil {
				return err
			}
			return p.showValues(values)
		},
	}
	settingFlags(cmd)
	cmd.AddCommand(&cobra.Command{
		Use:   "help",
		Short: "List every setting: variable, flag, default and meaning",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return config.Help(p.stdout) },
	})
	return cmd
}

func (p *program) showValues(values []config.Value) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "SETTING\tVALUE\tFROM\tA CHANGE NEEDS\n")
	for _, v := range values {
		needs := "restart"
		if v.Live {
			needs = "reload"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Key, v.Text, v.From, needs)
	}
	return w.Flush()
}
