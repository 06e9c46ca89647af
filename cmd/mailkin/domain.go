package main

import (
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/idna"

	"github.com/mailkin/mailkin/api"
)

func (p *program) domainCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "domain",
		Short: "List the mailbox's own domains; add, check and remove them",
		Long: `List the mailbox's own domains. In a pipe each is a line with tabs: domain, status, the
records that are right (with commas), id.`,
		Args: listsAlone,
	}, func(s *session, _ []string) error {
		list, err := s.c.Domains(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Domains), "There are none; \"mailkin domain add DOMAIN\" adds one.")
		return s.show(list, func() error {
			t := newTable(0, "domain", "status", "right", "id").withIDs(3)
			for _, d := range list.Domains {
				t.add(d.Domain, d.Status, marks(d.DomainMarks), d.ID)
			}
			return s.out.table(t)
		})
	})
	cmd.AddCommand(p.domainAddCommand(), p.domainShowCommand(), p.domainVerifyCommand(), p.domainRekeyCommand(),
		p.domainReportsCommand(),
		p.domainDeleteCommand())
	return cmd
}

func marks(m api.DomainMarks) string {
	var right []string
	for _, r := range []struct {
		name string
		ok   bool
	}{{"mx", m.MX}, {"spf", m.SPF}, {"dkim", m.DKIM}, {"dmarc", m.DMARC}} {
		if r.ok {
			right = append(right, r.name)
		}
	}
	return strings.Join(right, ",")
}

// domainArgument wants a command to have a domain.
var domainArgument = oneArgument("say which domain: its name, or its id")

// domainID finds a domain by its name, or takes it as an id.
func (s *session) domainID(arg string) (string, error) {
	if !strings.Contains(arg, ".") {
		return arg, nil
	}
	list, err := s.c.Domains(s.ctx)
	if err != nil {
		return "", err
	}
	name := strings.TrimSuffix(arg, ".")
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		name = ascii
	}
	for _, d := range list.Domains {
		if strings.EqualFold(d.Domain, name) {
			return d.ID, nil
		}
	}
	return "", &fault{status: exitNothing, text: "the mailbox has no domain " + arg,
		next: "\"mailkin domain add\" adds it."}
}

// withDomain makes a command one that works on a domain.
func (p *program) withDomain(cmd *cobra.Command, run func(s *session, id string) error) *cobra.Command {
	cmd.Args = domainArgument
	return p.remote(cmd, func(s *session, args []string) error {
		id, err := s.domainID(args[0])
		if err != nil {
			return err
		}
		return run(s, id)
	})
}

func (p *program) domainAddCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "add DOMAIN",
		Short: "Add a domain, and print the DNS records to publish",
		Args:  oneArgument("say which domain"),
	}, func(s *session, args []string) error {
		return s.domain(s.c.AddDomain(s.ctx, args[0]))
	})
}

// domain shows the records of a domain, unless it could not be had.
func (s *session) domain(d *api.DomainRecord, err error) error {
	if err != nil {
		return err
	}
	return s.show(d, func() error { return s.records(d) })
}

func (s *session) records(d *api.DomainRecord) error {
	var list []entry
	for _, r := range []*api.DNSRecord{d.Records.MX, d.Records.SPF, d.Records.DKIM, d.Records.DMARC,
		d.Records.DKIMEd25519, d.Records.Ownership} {
		if r == nil {
			continue
		}
		value := r.Value
		if r.Priority != nil {
			value = number(int(*r.Priority)) + " " + value
		}
		list = append(list, entry{head: []string{r.Type, r.Host}, text: value, said: []string{r.Purpose}})
	}
	if d.NextKeys != nil {
		for _, r := range d.NextKeys.Records {
			list = append(list, entry{head: []string{r.Type, r.Host}, text: r.Value,
				said: []string{"Of the new keys. " + r.Purpose}})
		}
	}
	s.err.say("%s is %s. %s", d.Domain.Domain, d.Status, whatToDo(d))
	return s.out.entries(list)
}

// whatToDo is what the instructions say besides the records. Where all records are there, nothing is to be added.
func whatToDo(d *api.DomainRecord) string {
	var said []string
	for part := range strings.SplitSeq(d.Instructions, "\n\n") {
		part = strings.TrimSpace(part)
		if d.Status == verifiedDomain && strings.HasPrefix(part, "Add these records") {
			break
		}
		if part != "" && (part[0] < '0' || part[0] > '9') {
			said = append(said, part)
		}
	}
	return strings.Join(said, " ")
}

// verifiedDomain is the status of a domain whose records are there.
const verifiedDomain = "dns_verified"

func (p *program) domainShowCommand() *cobra.Command {
	return p.withDomain(&cobra.Command{
		Use:   "show DOMAIN",
		Short: "Print the DNS records of a domain",
		Long:  "Print the DNS records of a domain. In a pipe each is a line with tabs: type, host, value, purpose.",
	}, func(s *session, id string) error {
		return s.domain(s.c.Domain(s.ctx, id))
	})
}

func (p *program) domainVerifyCommand() *cobra.Command {
	return p.withDomain(&cobra.Command{
		Use:   "verify DOMAIN",
		Short: "Look up the records of a domain now",
		Long: `Look up the records of a domain now. Status 1: something is missing. In a pipe each record is a line with
tabs: "ok", "missing" or "unknown" (it could not be looked up), type, host, what is to be there, what was found.`,
	}, func(s *session, id string) error {
		d, err := s.c.VerifyDomain(s.ctx, id)
		if err != nil {
			return err
		}
		err = s.show(d, func() error {
			var list []entry
			for _, r := range d.Records {
				mark, style := "ok", green
				switch {
				case r.Unknown:
					mark, style = "unknown", yellow
				case !r.Verified:
					mark, style = "missing", red
				}
				list = append(list, entry{style: style, head: []string{mark, r.Type, r.Host}, text: r.Value,
					found: strings.Join(r.Found, " | ")})
			}
			if d.Status == verifiedDomain { // what is wrong with another is told at the end
				s.err.say("%s", d.Message)
			}
			return s.out.entries(list)
		})
		if err == nil && d.Status != verifiedDomain {
			return &fault{status: exitFailed, text: d.Message}
		}
		return err
	})
}

func (p *program) domainRekeyCommand() *cobra.Command {
	var now bool
	cmd := &cobra.Command{
		Use:   "rekey DOMAIN",
		Short: "Make new keys for a domain, and print the DNS records to publish",
		Long: `Make new keys for a domain, and print the DNS records to publish. Mail is signed with the keys in use until
they are there: the server looks every hour, and "mailkin domain verify" does at once. The records of the old keys stay
for a week more, because mail that was signed with them may still be on its way; "mailkin domain show" and "mailkin
doctor" say when they can be removed.`,
	}
	cmd.Flags().BoolVar(&now, "now", false, "use the new keys at once; mail is not signed until their records are there")
	return p.withDomain(cmd, func(s *session, id string) error {
		if now {
			return s.domain(s.c.ReplaceDomainKeys(s.ctx, id))
		}
		return s.domain(s.c.RenewDomainKeys(s.ctx, id))
	})
}

func (p *program) domainDeleteCommand() *cobra.Command {
	return p.withDomain(&cobra.Command{
		Use:   "delete DOMAIN",
		Short: "Remove a domain: mail for it is refused from then on",
	}, func(s *session, id string) error {
		if err := s.c.DeleteDomain(s.ctx, id); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true}, "The domain is given up.")
	})
}
