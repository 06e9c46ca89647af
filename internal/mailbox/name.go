package mailbox

import (
	"strings"
)

// ParseName returns the local part for a new mailbox in its one spelling, or says what is wrong with it (API 3).
func ParseName(s string) (string, error) {
	n, err := ParseOperatorName(s)
	if err == nil && Reserved(n) {
		return "", reservedName(n)
	}
	return n, err
}

func reservedName(n string) error {
	return Errorf(Invalid, "reserved_name", "The name %q is reserved; choose another.", n)
}

// ParseOperatorName is ParseName for the operator, who may also make the mailboxes of roles, such as support: what is
// reserved for the service itself stays so.
func ParseOperatorName(s string) (string, error) {
	n := strings.ToLower(strings.TrimSpace(s))
	switch {
	case n == "":
		return "", InvalidField("name", "A name is needed: 1 to 40 of a-z, 0-9, dot, _ and -.")
	case len(n) > 40:
		return "", InvalidField("name", "The name is too long: at most 40 characters.")
	case strings.Trim(n, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" || strings.Contains(n, ".."):
		return "", InvalidField("name", "%q is not a mailbox name: use 1 to 40 of a-z, 0-9, dot, _ and -, no two "+
			"dots together.", Clip(s, 60))
	case !alphanumeric(n[0]) || !alphanumeric(n[len(n)-1]):
		return "", InvalidField("name", "A name begins and ends with a letter or a digit.")
	case reservedForService(n):
		return "", reservedName(n)
	}
	return n, nil
}

func alphanumeric(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// reserved are names that other people's programs take for a role: RFC 2142, and those that could pass for the
// service itself.
var reserved = map[string]bool{
	"abuse": true, "admin": true, "administrator": true, "billing": true, "daemon": true, "dmarc": true,
	"hostmaster": true, "info": true, "list": true, "localhost": true, "mail": true, "mailer-daemon": true,
	"mailerdaemon": true, "mailkin": true, "marketing": true, "news": true, "no-reply": true, "nobody": true,
	"noc": true, "noreply": true, "noreply-dmarc": true, "noreply-tls": true, "null": true, "postmaster": true,
	"root": true, "sales": true, "security": true, "ssladmin": true, "ssladministrator": true,
	"sslwebmaster": true, "support": true, "sysadmin": true, "system": true, "tls-reports": true, "usenet": true,
	"uucp": true, "webmaster": true, "www": true, "ftp": true, "double-bounce": true,
	"do-not-reply": true, "donotreply": true,
}

// Reserved tells whether a local part may not be a mailbox that someone asks for.
func Reserved(local string) bool {
	return reserved[local] || reservedForService(local)
}

// reservedForService tells whether the service itself uses a local part: for reports to it, for return paths, for
// temporary mailboxes.
func reservedForService(local string) bool {
	return RoleLocal(local) || local == "mailer-daemon" || local == "double-bounce" ||
		strings.HasPrefix(local, "bounce") || Random(local)
}

// Random tells whether a local part has the form of those that temporary mailboxes are given. Nobody can choose one.
func Random(local string) bool {
	return strings.HasPrefix(local, "agent-") && len(local) == len("agent-")+12
}

// RoleLocal reports whether mail to this local part goes to the configured mailbox (API 11).
func RoleLocal(local string) bool { return local == "postmaster" || local == "abuse" }
