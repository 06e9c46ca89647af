package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) dnsCommand() *cobra.Command {
	var zone bool
	cmd := p.remote(&cobra.Command{
		Use:   "dns [DOMAIN]",
		Short: "Print all DNS records of a mail domain and its host, and what the DNS has of them",
		Long: `Print all DNS records that a mail domain and its mail host should have, and what the DNS has of them now: MX,
SPF, DKIM, DMARC, the addresses of the host and their names (PTR), MTA-STS and TLSRPT. Without DOMAIN: the mailbox's
first one, which for the operator is that of the deployment. Status 1: a record that is needed is missing, differs or
could not be looked up.

In a pipe each record is a line with tabs: state ("ok", "missing", "differs" or "unknown"), kind, type, host, what is to
be there, what was found, problem.`,
		Args: cobra.MaximumNArgs(1),
	}, func(s *session, args []string) error {
		id, err := s.sheetDomain(args)
		if err != nil {
			return err
		}
		d, err := s.c.DNSSheet(s.ctx, id)
		if err != nil {
			return err
		}
		if zone {
			_, err := fmt.Fprint(s.p.stdout, d.ZoneFile)
			return err
		}
		if err := s.show(d, func() error { return s.sheet(d) }); err != nil {
			return err
		}
		return sheetFault(d)
	})
	cmd.Flags().BoolVar(&zone, "zone", false, "print the records as part of a zone file")
	return cmd
}

// sheetDomain is the id of the domain that is named, or of the first.
func (s *session) sheetDomain(args []string) (string, error) {
	if len(args) == 1 {
		return s.domainID(args[0])
	}
	list, err := s.c.Domains(s.ctx)
	if err != nil {
		return "", err
	}
	if len(list.Domains) == 0 {
		return "", &fault{status: exitNothing, text: "the mailbox has no domain of its own",
			next: "\"mailkin domain add\" brings one."}
	}
	return list.Domains[0].ID, nil
}

func (s *session) sheet(d *api.DNSSheet) error {
	var list []entry
	for _, r := range d.Records {
		value := strings.TrimSpace(r.Value)
		if r.Priority != nil {
			value = number(int(*r.Priority)) + " " + value
		}
		style := red
		switch {
		case r.State == "ok":
			style = green
		case !r.Needed:
			style = yellow
		}
		list = append(list, entry{style: style, head: []string{r.State, r.Kind, r.Type, r.Host}, text: oneLine(value),
			found: oneLine(strings.Join(r.Found, " | ")), said: []string{r.Problem}})
	}
	s.err.say("%s, on the mail host %s. --zone prints a zone file.", d.Domain, d.Hostname)
	return s.out.entries(list)
}

func oneLine(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ") }

// sheetFault says which records that are needed are not there, and which of them could not be looked up, with the first
// reason.
func sheetFault(d *api.DNSSheet) error {
	var open, unknown, said []string
	next := ""
	for _, r := range d.Records {
		switch at := r.Type + " at " + r.Host; {
		case !r.Needed || r.State == "ok":
		case r.State == "unknown":
			unknown = append(unknown, at)
			next = cmp.Or(next, r.Problem)
		default:
			open = append(open, at)
		}
	}
	if len(open) > 0 {
		said = append(said, "not in the DNS as needed: "+strings.Join(open, ", "))
	}
	if len(unknown) > 0 {
		said = append(said, "could not be looked up: "+strings.Join(unknown, ", "))
	}
	if len(said) == 0 {
		return nil
	}
	return &fault{status: exitFailed, text: strings.Join(said, "; "), next: next}
}
