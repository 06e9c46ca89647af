package zone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The kinds of records that only the sheet has.
const (
	KindHost    = "host"     // address of the mail host
	KindPTR     = "ptr"      // name of that address
	KindSTS     = "mta_sts"  // says that there is a policy
	KindSTSHost = "sts_host" // where the policy is
	KindPolicy  = "sts_policy"
	KindTLSRPT  = "tlsrpt"
)

const (
	typeA     = "A"
	typeAAAA  = "AAAA"
	typePTR   = "PTR"
	typeCNAME = "CNAME"
	typeHTTPS = "HTTPS" // no record: a file that is fetched
)

// The local parts of the addresses that reports about a domain are asked for at.
const (
	ReportsDMARC = "dmarc-reports"
	ReportsTLS   = "tls-reports"
)

// policyAge is how long senders remember an MTA-STS policy: a week, so that a mistake is over soon.
const policyAge = 7 * 24 * 60 * 60

// Policy is the MTA-STS policy of a domain whose mail one server takes (RFC 8461 3.2).
func Policy(hostname, mode string) string {
	return "version: STSv1\nmode: " + mode + "\nmx: " + hostname + "\nmax_age: " + strconv.Itoa(policyAge) + "\n"
}

// PolicyHost is the host of a domain's MTA-STS policy.
func PolicyHost(domain string) string { return "mta-sts." + domain }

// Sheet are all records that a domain and its mail host should have: [Plan.Records], then what makes others trust the
// host and report about it. The records of the host's addresses need the DNS: where the plan names none, they are those
// that it has.
func (p Plan) Sheet(ctx context.Context, r Resolver) Findings {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	l := &sheet{Plan: p, dns: r}
	var wg sync.WaitGroup
	var records, host, policy, tlsrpt Findings
	wg.Go(func() { records = p.Check(ctx, r) })
	wg.Go(func() { host = l.host(ctx) })
	wg.Go(func() { policy = l.policy(ctx) })
	wg.Go(func() { tlsrpt = Findings{l.text(ctx, p.tlsrpt(), tlsrptProblem)} })
	wg.Wait()
	out := slices.Concat(records, host, policy, tlsrpt)
	for i := range out {
		out[i].bound()
	}
	return out
}

// The states of a finding.
const (
	StateOK      = "ok"
	StateMissing = "missing"
	StateDiffers = "differs"
	StateUnknown = "unknown" // it could not be looked up
)

// State says in one word what was found.
func (f Finding) State() string {
	switch {
	case f.Err != nil:
		return StateUnknown
	case f.Verified:
		return StateOK
	case len(f.Found) == 0:
		return StateMissing
	}
	return StateDiffers
}

// Needed says whether mail does not work without a record; the others are advised.
func (r Record) Needed() bool {
	switch r.Kind {
	case KindOwnership, KindMX, KindSPF, KindDKIM, KindHost, KindPTR:
		return true
	}
	return false
}

func (p Plan) tlsrpt() Record {
	return Record{
		Kind: KindTLSRPT, Type: typeTXT, Host: "_smtp._tls." + p.Domain,
		Value:   "v=TLSRPTv1; rua=mailto:" + ReportsTLS + "@" + p.Domain,
		Purpose: "Asks those who send mail here to report when TLS does not work. Advised, not needed.",
	}
}

// sheet looks up the records that are on the sheet alone.
type sheet struct {
	Plan
	dns Resolver
}

// settle makes a finding of what was found and of what is wrong with it.
func settle(r Record, found []string, err error, problem string) Finding {
	f := Finding{Record: r, Found: found}
	switch {
	case errors.Is(err, ErrNone) || err == nil && len(found) == 0:
		f.Found, f.Problem = nil, "There is nothing there."
	case err != nil:
		f.Found, f.Err = nil, err
	default:
		f.Problem, f.Verified = problem, problem == ""
	}
	return f
}

func (s *sheet) text(ctx context.Context, r Record, problem func([]string) string) Finding {
	texts, err := s.dns.TXT(ctx, r.Host)
	return settle(r, texts, err, problem(texts))
}

// host looks up the addresses of the mail host, and their names.
func (s *sheet) host(ctx context.Context) (out Findings) {
	found, err := s.dns.Addrs(ctx, s.Hostname)
	addresses := s.Addresses
	if len(addresses) == 0 {
		addresses = found
	}
	if len(addresses) == 0 {
		return Findings{settle(s.address(netip.Addr{}), nil, err, "")}
	}
	for _, a := range addresses {
		var same []string // of its family
		for _, f := range found {
			if f.Unmap().Is4() == a.Unmap().Is4() {
				same = append(same, f.Unmap().String())
			}
		}
		problem := ""
		if !slices.Contains(same, a.Unmap().String()) {
			problem = "The name has another address."
		}
		out = append(out, settle(s.address(a), same, err, problem))
	}
	for _, a := range addresses {
		names, err := s.dns.Names(ctx, a)
		problem := "The address has another name."
		if slices.ContainsFunc(names, func(n string) bool { return sameName(n, s.Hostname) }) {
			problem = ""
		}
		out = append(out, settle(Record{Kind: KindPTR, Type: typePTR, Host: ReverseName(a), Value: s.Hostname,
			Purpose: "Gives the address " + a.Unmap().String() + " its name: others refuse mail from one without. " +
				"The provider of the address sets it."}, names, err, problem))
	}
	return out
}

// address is the record of an address of the mail host; not a valid one: it is not known.
func (s *sheet) address(a netip.Addr) Record {
	r := Record{Kind: KindHost, Type: typeA, Host: s.Hostname,
		Purpose: "The address of the mail host: that of this server on the Internet."}
	if a = a.Unmap(); a.IsValid() {
		r.Value = a.String()
		if a.Is6() {
			r.Type = typeAAAA
		}
	}
	return r
}

// policy looks up what MTA-STS needs.
func (s *sheet) policy(ctx context.Context) Findings {
	mode, served := s.STS, s.STS != ""
	if !served {
		mode = "testing"
	}
	want := Policy(s.Hostname, mode)
	sum := sha256.Sum256([]byte(want))
	record := Record{Kind: KindSTS, Type: typeTXT, Host: "_mta-sts." + s.Domain,
		Value:   "v=STSv1; id=" + hex.EncodeToString(sum[:10]),
		Purpose: "Says that there is a policy for TLS. It has another id when the policy changes. Advised, not needed."}
	file := Record{Kind: KindPolicy, Type: typeHTTPS, Host: PolicyHost(s.Domain) + "/.well-known/mta-sts.txt",
		Value:   want,
		Purpose: "The policy: senders that know it send only with TLS, in the mode enforce. This server serves it."}
	if !served {
		file.Purpose = "The policy, a file on a web server. This server serves it when the setting mta_sts is testing " +
			"or enforce. Advised, not needed."
	}
	host := Record{Kind: KindSTSHost, Type: typeCNAME, Host: PolicyHost(s.Domain), Value: s.web(),
		Purpose: "Where the policy is fetched, over HTTPS with a certificate for this name. Advised, not needed."}

	text, err := s.dns.Policy(ctx, s.Domain)
	policy := settle(file, present(text), err, policyProblem(text, s.Hostname))
	if policy.Err != nil && ctx.Err() == nil { // a certificate that is not right, or no web server
		policy.Err, policy.Problem = nil, "It could not be fetched: "+printable(err.Error(), maxFoundBytes)
	}
	found, err := s.dns.Addrs(ctx, host.Host)
	ours, _ := s.dns.Addrs(ctx, host.Value)
	problem := "It leads to another server, which has no policy that lets mail come here."
	if policy.Verified || slices.ContainsFunc(found, func(a netip.Addr) bool { return slices.Contains(ours, a) }) {
		problem = ""
	}
	return Findings{s.text(ctx, record, stsProblem), settle(host, texts(found), err, problem), policy}
}

// web is the host that serves pages.
func (p Plan) web() string {
	if p.Web != "" {
		return p.Web
	}
	return p.Hostname
}

// present is a text as a list, which is empty where the text is.
func present(text string) []string {
	return slices.DeleteFunc([]string{text}, func(s string) bool { return s == "" })
}

func texts(addrs []netip.Addr) (list []string) {
	for _, a := range addrs {
		list = append(list, a.Unmap().String())
	}
	return list
}

// stsProblem is empty where there is one record that says that there is a policy (RFC 8461 3.1).
func stsProblem(texts []string) string {
	return oneRecord(texts, "STSv1", "id", "The text there does not say that there is an MTA-STS policy.")
}

// tlsrptProblem is empty where reports are asked for (RFC 8460 3).
func tlsrptProblem(texts []string) string {
	return oneRecord(texts, "TLSRPTv1", "rua", "The text there does not ask for reports on TLS.")
}

// oneRecord wants one list of tags of a version, with a tag that has a value.
func oneRecord(texts []string, version, tag, problem string) string {
	count := 0
	for _, text := range texts {
		tags, _ := parseTags(text)
		if len(tags) == 0 || tags[0].name != "v" || tags[0].value != version {
			continue
		}
		if count++; count > 1 {
			return "There is more than one such text: senders take none of them."
		}
		if value, _ := tags.value(tag); value != "" {
			problem = ""
		}
	}
	return problem
}

// policyProblem is empty where a policy lets mail come to a host.
func policyProblem(text, hostname string) string {
	version, mx := false, false
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "version":
			version = value == "STSv1"
		case "mx":
			_, parent, _ := strings.Cut(hostname, ".")
			mx = mx || sameName(value, hostname) || sameName(value, "*."+parent)
		}
	}
	switch {
	case !version:
		return "The file there is not an MTA-STS policy."
	case !mx:
		return "The policy there does not name " + hostname + ": senders that know it send nothing here."
	}
	return ""
}

// ReverseName is where the DNS has the name of an address (RFC 1035 3.5, RFC 3596 2.5).
func ReverseName(ip netip.Addr) string {
	const digits = "0123456789abcdef"
	var parts []string
	if ip = ip.Unmap(); ip.Is4() {
		for _, b := range ip.As4() {
			parts = append([]string{strconv.Itoa(int(b))}, parts...)
		}
		return strings.Join(parts, ".") + ".in-addr.arpa"
	}
	for _, b := range ip.As16() {
		parts = append([]string{digits[b&15 : b&15+1], digits[b>>4 : b>>4+1]}, parts...)
	}
	return strings.Join(parts, ".") + ".ip6.arpa"
}

// zoneTTL is for records that may still change.
const zoneTTL = 3600

// ZoneFile is the sheet as the part of a zone file that a domain needs (RFC 1035 5). What belongs in another zone, and
// what is no record, is a comment.
func (p Plan) ZoneFile(f Findings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "; Records of %s for the mail server %s\n$ORIGIN %[1]s.\n$TTL %[3]d\n", p.Domain, p.Hostname,
		zoneTTL)
	for _, one := range f {
		r := one.Record
		fmt.Fprintf(&b, "\n; %s\n", r.Purpose)
		switch {
		case r.Type == typeHTTPS:
			fmt.Fprintf(&b, "; https://%s\n;   %s\n", r.Host,
				strings.ReplaceAll(strings.TrimSpace(r.Value), "\n", "\n;   "))
		case r.Value == "":
			fmt.Fprintf(&b, "; %s. IN %s (not known here)\n", r.Host, r.Type)
		case r.Host != p.Domain && !strings.HasSuffix(r.Host, "."+p.Domain):
			fmt.Fprintf(&b, "; In another zone: %s\n", r.Line())
		default:
			b.WriteString(r.Line() + "\n")
		}
	}
	return b.String()
}
