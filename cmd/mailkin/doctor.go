package main

import (
	"context"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func (p *program) doctorCommand() *cobra.Command {
	var address, name, ntp, probe string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out why mail does not arrive: check settings, DNS, ports, certificates, clock and webhook",
		Long: `Check a deployment, and say of each thing whether it is right and what to do if not. Nothing is
changed, and no mail is sent.

Without --url it checks the deployment of these settings, as "mailkin serve" would have them: run it
on the server, as the server's user. With --url it checks a service from outside, with the key
of the profile or of MAILKIN_API_KEY.

Status 1: something is wrong ("fail"). A "warn" is not wrong, but worth a look.
In a pipe each check is a line with tabs: ok, warn or fail; what; what was found; what to do.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := p.untilSignal()
			defer stop()
			d := &doctor{p: p, names: app.NewNames, dial: (&net.Dialer{Timeout: doctorPatience}).DialContext,
				now: time.Now, ntp: ntp, probe: probe}
			if address != "" || name != "" {
				if d.ask(config.Config{DNS: p.outsideDNS(cmd)}) {
					d.remote(ctx, address, name)
				}
			} else {
				d.local(ctx, p.source(cmd))
			}
			return p.diagnosis(d.checks, asJSON)
		},
	}
	p.settingFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&address, "url", "", "check the service at this address, from outside")
	f.StringVar(&name, "profile", "", "check the service of this profile, from outside")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.StringVar(&ntp, "ntp", "pool.ntp.org:123", "time server to compare the clock with; empty: none")
	f.StringVar(&probe, "probe", "gmail.com", "domain whose mail server is connected to, and nothing else, to see "+
		"whether port 25 is open outwards; empty: none")
	return cmd
}

// outsideDNS is the resolver that a check from outside asks: the one that --dns names. The other settings are not of
// the service that is checked.
func (p *program) outsideDNS(cmd *cobra.Command) string {
	if f := cmd.Flags().Lookup("dns"); f != nil && f.Changed {
		return f.Value.String()
	}
	return config.DNSSystem
}

// doctorPatience is how long a check waits for an answer.
const doctorPatience = 10 * time.Second

// doctor makes checks.
type doctor struct {
	p      *program
	dns    resolver
	names  func(config.Config) (*app.Names, error) // nil: dns is given
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	now    func() time.Time
	ntp    string // host:port
	probe  string // domain
	checks []check

	answers bool // the server of the settings does
}

// resolver is what a doctor asks of the DNS. It is the same that the server asks: app.Names.
type resolver interface {
	LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	LookupHost(ctx context.Context, host string) ([]string, error)
	LookupAddr(ctx context.Context, addr string) ([]string, error)
	Sender(ctx context.Context, domain, hostname string, keys map[string]string) []app.Published
}

// check is what was found about one thing.
type check struct {
	what, grade, found, next string
}

// The grades of a check.
const (
	fine  = "ok"
	worth = "warn"
	wrong = "fail"
)

func (d *doctor) ok(what, found string) { d.checks = append(d.checks, check{what, fine, found, ""}) }
func (d *doctor) warn(what, found, next string) {
	d.checks = append(d.checks, check{what, worth, found, next})
}
func (d *doctor) fail(what, found, next string) {
	d.checks = append(d.checks, check{what, wrong, found, next})
}

// diagnosis shows the checks, and is an error if one failed.
func (p *program) diagnosis(checks []check, asJSON bool) error {
	out := p.screen(p.stdout)
	styles := map[string]string{fine: green, worth: yellow, wrong: red}
	t, list, failed := newTable(2, "", "check", "found"), []map[string]string{}, 0
	for _, c := range checks {
		if c.grade == wrong {
			failed++
		}
		list = append(list, map[string]string{"check": c.what, "status": c.grade, "found": c.found, "next": c.next})
		if !out.isTerminal() {
			t.add(c.grade, c.what, c.found, c.next)
			continue
		}
		t.add(c.grade, c.what, c.found)
		t.mark(0, styles[c.grade])
	}
	var err error
	if asJSON {
		err = out.json(map[string]any{"checks": list})
	} else if err = out.table(t); err == nil && out.isTerminal() {
		err = advise(out, checks)
	}
	if err == nil && failed > 0 {
		err = &fault{status: exitFailed, text: number(failed) + " of " + number(len(checks)) + " checks failed"}
	}
	return err
}

// advise says, on a terminal, what to do about each check.
func advise(out screen, checks []check) error {
	for _, c := range checks {
		if c.next == "" {
			continue
		}
		if err := out.trusted("\n" + out.styled(bold, line(c.what)) + ": " + line(c.found) + "\n" +
			line("  → "+c.next) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// ask has the doctor ask the resolver of the settings.
func (d *doctor) ask(cfg config.Config) bool {
	if d.names == nil {
		return true
	}
	names, err := d.names(cfg)
	if err != nil {
		d.fail("resolver", err.Error(), "Change the setting dns.")
		return false
	}
	d.dns = names
	return true
}

// local checks the deployment of the settings.
func (d *doctor) local(ctx context.Context, src config.Source) {
	cfg, values, err := config.Explain(src)
	if err != nil {
		d.fail("settings", err.Error(), "Change the setting; \"mailkin config help\" lists all of them.")
		return
	}
	set := 0
	for _, v := range values {
		if v.From != "default" {
			set++
		}
	}
	d.ok("settings", number(set)+" set, the others as they are by default")
	if !d.ask(cfg) {
		return
	}
	d.folder(cfg)
	d.masterKey(ctx, cfg)
	c := d.running(ctx, cfg)
	for _, domain := range cfg.Domains {
		d.domain(ctx, cfg, domain)
	}
	d.senders(ctx, cfg, c)
	d.host(ctx, cfg)
	d.certificate(cfg)
	d.provider(ctx, cfg)
	d.outwards(ctx, cfg)
	d.clock(ctx)
}
