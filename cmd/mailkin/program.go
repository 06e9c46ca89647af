package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// program is one run of the binary.
type program struct {
	args    []string
	environ []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	signals <-chan os.Signal
	// has the process told of SIGHUP until done is called; nil: nobody is
	onHangup func() (told <-chan os.Signal, done func())

	terminal func(io.Writer) (columns int, ok bool) // nil: ask the system

	settings []config.Setting // read once, because many commands have a flag for each
}

// run returns the exit status. An error is one line on stderr.
func (p *program) run() int {
	if p.serves() {
		defer lazyGC()()
	}
	root := p.root()
	groupsAlone(root)
	root.SetArgs(p.args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	cmd, err := root.ExecuteC()
	err = plainly(cmd, err)
	if err != nil && cmd.Name() == "serve" {
		err = p.inLog(cmd, err)
	}
	if err != nil && !errors.As(err, new(loggedError)) {
		p.screen(p.stderr).say("mailkin: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return statusOf(err)
}

// The groups of commands in the help.
const (
	groupMail    = "mail"
	groupMailbox = "mailbox"
	groupServer  = "server"
)

// serves tells whether this run starts a server.
func (p *program) serves() bool {
	return len(p.args) > 0 && (p.args[0] == "serve" || p.args[0] == "capture")
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mailkin",
		Short: "Mailboxes for software agents: mail server, mailbox store, HTTP API and their client in one program",
		Long: `Mailboxes for software agents: mail server, mailbox store, HTTP API and their client in
one program. "mailkin demo" shows all of it; "mailkin serve" is the server, and
"mailkin bootstrap" gets a mailbox from it.`,
		Version:       app.Version(),
		SilenceErrors: true, // run prints them, on one line
		SilenceUsage:  true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(explainFlag)
	root.AddGroup(&cobra.Group{ID: groupMail, Title: "Mail:"}, &cobra.Group{ID: groupMailbox, Title: "Mailboxes:"},
		&cobra.Group{ID: groupServer, Title: "The server:"})
	group := func(id string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = id
		}
		root.AddCommand(commands...)
	}
	if p.serves() { // the others would take a twentieth of the start
		group(groupServer, p.serveCommand(), p.captureCommand())
		return root
	}
	group(groupMail, p.inboxCommand(), p.readCommand(), p.searchCommand(), p.codeCommand(), p.waitCommand(),
		p.threadsCommand(), p.labelCommand(), p.deleteCommand(),
		p.sendCommand(), p.replyCommand(), p.forwardCommand(), p.draftsCommand(), p.reviewCommand(), p.extractCommand(),
		p.attachmentCommand(), p.exportCommand(), p.emailCommand(),
		p.eventsCommand(), p.listenCommand(),
		p.mcpCommand())
	group(groupMailbox, p.bootstrapCommand(), p.loginCommand(), p.whoamiCommand(), p.claimCommand(),
		p.mailboxCommand(), p.keyCommand(), p.webhookCommand(),
		p.domainCommand(), p.dnsCommand(), p.listCommand(), p.quarantineCommand(), p.queueCommand(), p.statsCommand())
	group(groupServer, p.serveCommand(), p.captureCommand(), p.configCommand(),
		p.secretCommand(), p.operatorCommand(), p.auditLogCommand(), p.doctorCommand(), p.healthCommand(),
		p.demoCommand(),
		p.backupCommand(),
		p.restoreCommand(), p.moveCommand(), p.reindexCommand(), p.reprocessCommand())
	root.AddCommand(p.completionCommand(), p.versionCommand(), p.licensesCommand(), exitCodesTopic())
	habits(root)
	if p.completing() {
		p.completions(root)
	}
	return root
}

// completing tells whether a shell asks how a command goes on. Otherwise nothing is told how to complete flags: cobra
// would remember that for as long as the process lives.
func (p *program) completing() bool {
	return len(p.args) > 0 && strings.HasPrefix(p.args[0], cobra.ShellCompRequestCmd)
}

// habits gives commands the short names that people's fingers know. One that lists by itself takes the word, too.
func habits(root *cobra.Command) {
	eachCommandBelow(root, func(cmd *cobra.Command) {
		switch below := cmd.Parent() != root; {
		case below && cmd.Name() == "list":
			cmd.Aliases = append(cmd.Aliases, "ls")
		case below && (cmd.Name() == "delete" || cmd.Name() == "remove"):
			cmd.Aliases = append(cmd.Aliases, "rm")
		}
	})
}

// groupsAlone has commands that only hold others print their help, and refuse a word that is none of these: for such a
// command cobra prints the help and says that all is well.
func groupsAlone(root *cobra.Command) {
	eachCommandBelow(root, func(cmd *cobra.Command) {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.Args = cobra.NoArgs
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	})
}

// listsAlone are the arguments of a command that lists without a word for it: none, or that word.
func listsAlone(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && (args[0] == "list" || args[0] == "ls") {
		return nil
	}
	return cobra.NoArgs(cmd, args)
}

// onData makes a command one that works on the data of the settings. What goes wrong there is no fault of the call.
func (p *program) onData(cmd *cobra.Command, run func(config.Config, []string) error) *cobra.Command {
	p.settingFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := config.Load(p.source(cmd))
		if err != nil {
			return err
		}
		if err := cfg.CheckDataDir(); err != nil {
			return err
		}
		err = run(cfg, args)
		switch {
		case errors.Is(err, context.Canceled):
			return &fault{status: exitInterrupted, text: "it was ended before it was done", err: err}
		case err != nil:
			return failure{inWords(err)}
		}
		return nil
	}
	return cmd
}

// settingFlags gives a command a flag for each setting that has one, in the order of the table. Where a server is
// started no other command needs them, and to make them for all would take a tenth of the start. The help of other
// commands shows only where the settings and the data are.
func (p *program) settingFlags(cmd *cobra.Command) {
	serves := cmd.Name() == "serve" || cmd.Name() == "capture"
	if p.serves() && cmd.Name() != p.args[0] {
		return
	}
	cmd.Flags().SortFlags = false
	if !serves {
		cmd.Long = cmp.Or(cmd.Long, cmd.Short+".") +
			"\n\nIt has a flag for each setting: \"mailkin config help\" lists them."
	}
	if p.settings == nil {
		p.settings = config.Settings()
	}
	for _, s := range p.settings {
		if s.Flag != "" {
			cmd.Flags().String(s.Flag, s.Default, s.Help)
			cmd.Flags().Lookup(s.Flag).Hidden = !serves && s.Flag != "config" && s.Flag != "data-dir"
			if s.Words != nil && p.completing() {
				_ = cmd.RegisterFlagCompletionFunc(s.Flag, // it fails where there is no such flag
					cobra.FixedCompletions(s.Words, cobra.ShellCompDirectiveNoFileComp))
			}
		}
	}
}

// source is where a command's settings come from: its flags that were given, and the environment.
func (p *program) source(cmd *cobra.Command) config.Source {
	given := map[string]string{}
	for _, s := range config.Settings() {
		if f := cmd.Flags().Lookup(s.Flag); s.Flag != "" && f != nil && f.Changed {
			given[s.Flag] = f.Value.String()
		}
	}
	return config.Source{Flags: given, Environ: p.environ}
}
