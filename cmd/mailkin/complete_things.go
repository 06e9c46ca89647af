package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
)

// Completion of what is named and has no ids: domains, operators, destinations, generations of backups.

type lister = func(*session) ([]thing, error)

// argumentThings are what the first argument of a command names.
var argumentThings = map[string]lister{
	"domain show": domainNames, "domain verify": domainNames, "domain rekey": domainNames,
	"domain delete": domainNames, "domain reports": domainNames, "dns": domainNames,
	"operator change": operatorNames, "operator remove": operatorNames,
}

// flagThings are what flags name.
var flagThings = map[string]lister{"destination": destinations, "end-all": operatorNames, "end": openSessions}

func domainNames(s *session) ([]thing, error) {
	list, err := s.c.Domains(s.ctx)
	return things(list, err, func(l *api.Domains) []api.Domain { return l.Domains },
		func(d api.Domain) thing { return thing{d.Domain, d.Status} })
}

func operatorNames(s *session) ([]thing, error) {
	list, err := s.c.Operators(s.ctx)
	return things(list, err, func(l *api.Operators) []api.Operator { return l.Operators },
		func(o api.Operator) thing { return thing{o.Name, o.Role} })
}

func openSessions(s *session) ([]thing, error) {
	list, err := s.c.Sessions(s.ctx)
	return things(list, err, func(l *api.Sessions) []api.Session { return l.Sessions },
		func(o api.Session) thing { return thing{o.ID, o.Name} })
}

func destinations(s *session) ([]thing, error) {
	list, err := s.c.QueueDestinations(s.ctx)
	return things(list, err, func(l *api.QueueDestinations) []api.QueueDestination { return l.Destinations },
		func(d api.QueueDestination) thing {
			return thing{d.Destination, fmt.Sprintf("%d waiting", d.Deliveries)}
		})
}

// completeThings offers what a list has, as the first argument.
func (p *program) completeThings(list lister) completer {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		for _, t := range p.offered(cmd, list) {
			if strings.HasPrefix(strings.ToLower(t.id), strings.ToLower(begun)) {
				out = append(out, cobra.CompletionWithDesc(t.id, cut(line(t.about), 50)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeGenerations offers the generations of the repository that is named, or of the settings, the newest first.
func (p *program) completeGenerations(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	const shape = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	cfg, err := config.Load(p.source(cmd))
	if err != nil {
		return nil, shape
	}
	where, err := repositoryOf(cfg, args)
	if err != nil {
		return nil, shape
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	list, _ := backup.Generations(ctx, cfg, where) // what can be read of it
	var out []cobra.Completion
	for _, g := range slices.Backward(list) {
		if strings.HasPrefix(g.Name, begun) {
			out = append(out, cobra.CompletionWithDesc(g.Name, fmt.Sprintf("%d messages", g.Messages)))
		}
	}
	return out, shape
}
