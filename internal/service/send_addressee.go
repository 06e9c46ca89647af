package service

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
)

// addressee is somebody whom a message is sent to, as they were named in a field of it.
type addressee struct {
	mailbox.Address        // the local part as it was written, the domain as the DNS has it
	canonical       string // the one spelling under which addresses are compared
	domain          string
}

func newAddressee(a mailbox.Address) addressee {
	local, domain := split(a.Address)
	a.Address = a.Address[:strings.LastIndexByte(a.Address, '@')+1] + domain
	return addressee{Address: a, canonical: local + "@" + domain, domain: domain}
}

// parseAddress reads one address of a field of a draft.
func parseAddress(field, text string) (mailbox.Address, error) {
	a, err := compose.ParseAddress(text)
	if err != nil {
		return mailbox.Address{}, mailbox.InvalidAs(field, err)
	}
	return mailbox.Address(a), nil
}

// parseAddressees reads the addresses of a field.
func parseAddressees(field string, texts []string) (list []addressee, err error) {
	for _, text := range texts {
		found, err := compose.ParseAddresses(text)
		if err != nil {
			return nil, mailbox.InvalidAs(field, err)
		}
		for _, a := range found {
			list = append(list, newAddressee(mailbox.Address(a)))
		}
		if len(list) > 1000 {
			return nil, mailbox.InvalidField(field, "%s has too many addresses.", field)
		}
	}
	return list, nil
}

// once returns each addressee once, however many lists have it.
func once(lists ...[]addressee) (all []addressee) {
	seen := make(map[string]bool)
	for _, list := range lists {
		for _, a := range list {
			if !seen[a.canonical] {
				seen[a.canonical] = true
				all = append(all, a)
			}
		}
	}
	return all
}

// addressesOf returns addressees as the nouns have them, and composed as a header has them.
func addressesOf(list []addressee) (out []mailbox.Address) {
	for _, a := range list {
		out = append(out, a.Address)
	}
	return out
}

func composed(list []addressee) []compose.Address {
	out := make([]compose.Address, len(list))
	for i, a := range list {
		out[i] = compose.Address(a.Address)
	}
	return out
}
