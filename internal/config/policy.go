package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// privateTargets is auto, true, false, or a list of networks.
type privateTargets PrivateTargets

func (p *privateTargets) Set(s string) error {
	switch strings.ToLower(s) {
	case "auto":
		*p = privateTargets{Auto: true}
		return nil
	case "true":
		*p = privateTargets{All: true}
		return nil
	case "false":
		*p = privateTargets{}
		return nil
	}
	var list networks
	if err := list.Set(s); err != nil {
		return fmt.Errorf("%w, or one of auto, true, false", err)
	}
	*p = privateTargets{Networks: list}
	return nil
}

func (p *privateTargets) String() string {
	switch {
	case p.Auto:
		return "auto"
	case p.All:
		return "true"
	case len(p.Networks) == 0:
		return "false"
	}
	return (*networks)(&p.Networks).String()
}

// networks is a list of networks and addresses.
type networks []netip.Prefix

func (l *networks) Set(s string) error {
	var out networks
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item == "" && len(s) == 0 {
			continue
		}
		n, err := parseNetwork(item)
		if err != nil {
			return fmt.Errorf("%q is not a network: use networks such as 10.0.0.0/8,192.168.1.20", item)
		}
		out = append(out, n)
	}
	*l = out
	return nil
}

func (l *networks) String() string {
	names := make([]string, len(*l))
	for i, n := range *l {
		names[i] = n.String()
	}
	return strings.Join(names, ",")
}

// parseNetwork reads a network, or a single address as the network of it alone.
func parseNetwork(s string) (netip.Prefix, error) {
	if n, err := netip.ParsePrefix(s); err == nil {
		return n.Masked(), nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	a = a.Unmap()
	return netip.PrefixFrom(a, a.BitLen()), nil
}
