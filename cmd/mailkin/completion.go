package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
)

func (p *program) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a script that makes a shell complete mailkin's commands",
		Example: `  source <(mailkin completion bash)
  mailkin completion zsh > "${fpath[1]}/_mailkin"
  mailkin completion fish > ~/.config/fish/completions/mailkin.fish`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return errors.New("say which shell: bash, zsh or fish")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			var err error
			switch args[0] {
			case "bash":
				err = root.GenBashCompletionV2(p.stdout, true)
			case "zsh":
				err = root.GenZshCompletion(p.stdout)
			case "fish":
				err = root.GenFishCompletion(p.stdout, true)
			}
			if err != nil {
				return failure{err}
			}
			return nil
		},
	}
}
