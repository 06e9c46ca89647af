package main

import (
	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings in force and where each came from",
		Long: `Show the settings in force, where each came from, and whether a change needs a restart.

In a pipe each is a line with tabs: setting, value, source, "restart" or "reload".`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, values, err := config.Explain(p.source(cmd))
			if err != nil {
				return err
			}
			return p.showValues(values)
		},
	}
	p.settingFlags(cmd)
	cmd.AddCommand(&cobra.Command{
		Use:   "help",
		Short: "List every setting: variable, flag, default and meaning",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return config.Help(p.stdout) },
	})
	return cmd
}

func (p *program) showValues(values []config.Value) error {
	t := newTable(1, "setting", "value", "from", "a change needs").uncut(0)
	for _, v := range values {
		needs := "restart"
		if v.Live {
			needs = "reload"
		}
		t.add(v.Key, v.Text, v.From, needs)
	}
	return p.screen(p.stdout).table(t)
}
