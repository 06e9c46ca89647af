package screen

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// relays are services that forward mail to addresses that they hand out, and that rewrite From so that answers go
// through them. The name of the sender stays, with an address in it or not. Domains where people choose addresses are
// not among them: icloud.com forwards, too, but there anybody can have an address that looks forwarded.
var relays = map[string]bool{
	"privaterelay.appleid.com": true, "duck.com": true, "mozmail.com": true,
	"relay.firefox.com": true,
	"simplelogin.co":    true, "simplelogin.com": true, "simplelogin.fr": true, "simplelogin.io": true,
	"slmail.me":   true,
	"slmails.com": true, "aleeas.com": true, "dralias.com": true, "8alias.com": true, "8shield.net": true,
	"passmail.net": true, "passinbox.com": true, "passfwd.com": true, "passmail.com": true,
	"anonaddy.me": true, "anonaddy.com": true, "addy.io": true, "addymail.com": true, "mailer.me": true,
	"33mail.com": true, "erine.email": true, "forwardemail.net": true, "improvmx.com": true, "burnermail.io": true,
	"reply.craigslist.org": true, "reply.airbnb.com": true, "guest.booking.com": true, "property.booking.com": true,
	"marketplace.amazon.com": true, "marketplace.amazon.co.uk": true, "marketplace.amazon.de": true,
	"members.ebay.com": true, "mail.kleinanzeigen.de": true, "reply.github.com": true, "contact.gumtree.com": true,
}

// isRelay tells whether a domain is one of a service that forwards, or below it: users have their own there.
func isRelay(domain string) bool {
	for ; domain != ""; _, domain, _ = strings.Cut(domain, ".") {
		if relays[domain] {
			return true
		}
	}
	return false
}

// Author is the address that a forwarding service has written into the one that it sends from, such as
// ann_at_example_com_x1@privaterelay.appleid.com, or else the address itself.
func Author(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	if !ok || !isRelay(strings.ToLower(domain)) {
		return address
	}
	local = strings.ToLower(local)
	if user, rest, ok := strings.Cut(local, "_at_"); ok {
		if host := writtenHost(rest); host != "" {
			return user + "@" + host
		}
	}
	if _, rest, ok := strings.Cut(local, "+"); ok {
		rest, _, _ = strings.Cut(rest, "+")
		for _, at := range [...]string{"=", ".at."} {
			if user, host, ok := strings.Cut(rest, at); ok && isHostName(host) {
				return user + "@" + host
			}
		}
	}
	return address
}

// writtenHost reads a host with underscores for dots, and marks of the service after it.
func writtenHost(s string) string {
	labels := strings.Split(s, "_")
	if isHostName(labels[0]) {
		return labels[0]
	}
	const most = 8
	for n := min(len(labels), most); n > 1; n-- {
		if host := strings.Join(labels[:n], "."); isHostName(host) {
			return host
		}
	}
	return ""
}

// isHostName tells whether a name has an end that domains have.
func isHostName(host string) bool {
	if strings.IndexByte(host, '.') <= 0 || strings.HasSuffix(host, ".") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return icann && suffix != host
}
