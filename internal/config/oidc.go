package config

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// issuer is the address that an OpenID provider has as its name. Nothing of it is changed: it is compared letter by
// letter.
type issuer string

func (i *issuer) Set(s string) error {
	u, err := url.Parse(s)
	if s != "" && (err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
		u.Scheme != "https" && !(u.Scheme == "http" && onLoopback(u.Hostname()))) {
		return fmt.Errorf("%q is not an issuer: give it like https://id.example.com, with https", s)
	}
	*i = issuer(s)
	return nil
}

func (i *issuer) String() string { return string(*i) }

func onLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// oidcRoles are role=value, with values as in a URL: a value may have a comma.
type oidcRoles struct{ to *map[string]mailbox.Role }

func (r oidcRoles) Set(s string) error {
	var all map[string]mailbox.Role
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		role := mailbox.Role(strings.TrimSpace(name))
		value, err := url.PathUnescape(strings.TrimSpace(value))
		switch {
		case !role.Known() || value == "" || err != nil:
			return fmt.Errorf("%q is not role=value: the roles are view, moderate and admin; a comma in a value is %%2C",
				strings.TrimSpace(pair))
		case all[value] != "":
			return fmt.Errorf("%q has two roles", value)
		}
		if all == nil {
			all = map[string]mailbox.Role{}
		}
		all[value] = role
	}
	*r.to = all
	return nil
}

func (r oidcRoles) String() string {
	if r.to == nil {
		return ""
	}
	var parts []string
	for _, value := range slices.Sorted(maps.Keys(*r.to)) {
		parts = append(parts, string((*r.to)[value])+"="+strings.ReplaceAll(url.PathEscape(value), ",", "%2C"))
	}
	return strings.Join(parts, ",")
}

// scopes are words with spaces between them; openid is among them.
type scopes struct{ to *[]string }

func (v scopes) Set(s string) error {
	list := strings.Fields(strings.ReplaceAll(s, ",", " "))
	if !slices.Contains(list, "openid") {
		return errors.New("openid is not among them, and without it a provider does not say who a person is")
	}
	*v.to = list
	return nil
}

func (v scopes) String() string {
	if v.to == nil {
		return ""
	}
	return strings.Join(*v.to, " ")
}

// sessionMost is the longest that a session may last: the role is looked at when a person signs in.
const sessionMost = 30 * 24 * time.Hour

// signingIn checks the settings of the OpenID provider.
func (c *Config) signingIn() (string, error) {
	switch {
	case c.OIDC.Issuer == "":
		return "", nil
	case c.OIDC.ClientID == "":
		return "oidc_client_id", errors.New("oidc_issuer needs it: the provider gives it to every client")
	case c.PublicURL == "":
		return "public_url", errors.New("oidc_issuer needs it: the provider sends people back there")
	case c.OIDC.Session > sessionMost:
		return "oidc_session", fmt.Errorf("it is at most %v", sessionMost)
	}
	return "", nil
}

// Provider is the host of the OpenID provider, for people; empty: there is none.
func (o OIDC) Provider() string {
	u, err := url.Parse(o.Issuer)
	if err != nil {
		return ""
	}
	return u.Host
}
