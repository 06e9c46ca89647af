package test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// opinions asks the programs of others (authheaders with pyspf and dkimpy) what they think of mails: a list of objects
// on standard input, a list of verdicts on standard output. The names come from the name server that it is told.
const opinions = `
import json, sys
import dns.resolver
host, port = sys.argv[1].rsplit(":", 1)
asked = dns.resolver.Resolver(configure=False)
asked.nameservers, asked.port = [host], int(port)
dns.resolver.default_resolver = asked
import authheaders, authres, dkim
out = []
for m in json.load(sys.stdin):
    raw = m["raw"].encode("utf-8")
    header = authheaders.authenticate_message(raw, "me.example", spf=bool(m["ip"]), ip=m["ip"] or None, mail_from=m["from"], helo=m["helo"])
    said = {r.method: r.result for r in authres.AuthenticationResultsHeader.parse(header).results}
    d = dkim.DKIM(raw)
    said["each"] = []
    for i in range(sum(1 for name, _ in d.headers if name.lower() == b"dkim-signature")):
        try:
            said["each"].append(dkim.DKIM(raw).verify(idx=i))
        except dkim.ValidationError:
            said["each"].append(False)
    out.append(said)
json.dump(out, sys.stdout)
`

// judged is a mail that a stranger brings.
type judged struct {
	IP   string `json:"ip"` // empty: SPF is not asked
	From string `json:"from"`
	Helo string `json:"helo"`
	Raw  string `json:"raw"`
}

// opinion is what the other programs say.
type opinion struct {
	SPF, DKIM, DMARC string
	Each             []bool // one for each signature
}

// ask asks the other programs.
func (z *zone) ask(t *testing.T, mails ...judged) (said []opinion) {
	t.Helper()
	const python = "/usr/bin/python3" // Debian's, which has Debian's modules
	if out, err := exec.Command(python, "-c", "import authheaders, spf, dkim, nacl").CombinedOutput(); err != nil {
		t.Fatalf("Debian's packages python3-authheaders, python3-spf and python3-nacl are missing: tools/setup.sh "+
			"installs them: %s", out)
	}
	body, err := json.Marshal(mails)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-W", "ignore", "-c", opinions, z.addr)
	cmd.Stdin = bytes.NewReader(body)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &said)
	}
	if err != nil || len(said) != len(mails) {
		t.Fatalf("%v: %s%s", err, out, errs.String())
	}
	return said
}

// callFrom connects to a mail server from one of this machine's addresses.
func callFrom(t *testing.T, from, to, helo string) *session {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}
	conn, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	s := &session{conn: conn, in: bufio.NewReader(conn)}
	s.mustRead(t, 220)
	s.mustAsk(t, "EHLO "+helo, 250)
	return s
}

// policies are SPF policies, by the first part of the domain that has them, for a client that comes from an address.
func policies(there string) map[string]string {
	return map[string]string{
		"ip": "v=spf1 ip4:" + there + " -all", "net": "v=spf1 ip4:198.20.0.16/28 -all",
		"other": "v=spf1 ip4:198.51.100.1 -all", "soft": "v=spf1 ~all",
		"neutral": "v=spf1 ?all", "include": "v=spf1 include:ipmail.org -all", "redirect": "v=spf1 redirect=ipmail.org",
		"mx": "v=spf1 mx -all",
		"a":  "v=spf1 a:host.mxmail.org -all", "exists": "v=spf1 exists:%{ir}.listmail.org -all",
		"broken": "v=spf1 ipv4:1.2.3.4 -all", "loop": "v=spf1 include:loopmail.org -all",
		"none": "nothing",
	}
}

// publishPolicies puts those domains in a zone, each with a key and a DMARC policy, and a few more, and returns the
// key.
func publishPolicies(t *testing.T, z *zone, there string) ed25519.PrivateKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, policy := range policies(there) {
		z.add(t, text(name+"mail.org", policy), text("_dmarc."+name+"mail.org", "v=DMARC1; p=none"),
			text("key._domainkey."+name+"mail.org", "v=DKIM1; k=ed25519; p="+base64.StdEncoding.EncodeToString(public)))
	}
	z.add(t, "mxmail.org. 60 IN MX 10 host.mxmail.org.", "host.mxmail.org. 60 IN A "+there,
		"20.0.20.198.listmail.org. 60 IN A 127.0.0.2",
		text("sub.ipmail.org", "v=spf1 ip4:"+there+" -all"), text("unpublishedmail.org", "v=spf1 ip4:"+there+" -all"),
		text("_dmarc.strictmail.org", "v=DMARC1; p=reject; aspf=s; adkim=s"),
		text("mail.strictmail.org", "v=spf1 ip4:"+there+" -all"))
	return private
}

// stranger is a mail to be judged: the domains of its From and of its envelope, and who signs it, with "changed" after
// it if it is changed after that.
type stranger struct{ name, header, envelope, sign string }

// senders are all the strangers.
func senders(there string) (rows []stranger) {
	for name := range policies(there) {
		rows = append(rows, stranger{name, name + "mail.org", name + "mail.org", ""})
	}
	return append(rows,
		stranger{"signed", "nonemail.org", "nonemail.org", "nonemail.org"}, stranger{"signed, and SPF fails",
			"othermail.org", "othermail.org", "othermail.org"},
		stranger{"changed", "ipmail.org", "ipmail.org", "ipmail.org changed"}, stranger{"changed, and SPF fails",
			"othermail.org", "othermail.org", "othermail.org changed"},
		stranger{"signed by another", "othermail.org", "othermail.org", "ipmail.org"},
		stranger{"forged", "othermail.org", "ipmail.org", ""},
		stranger{"subdomain", "sub.ipmail.org", "ipmail.org", ""}, stranger{"no DMARC", "unpublishedmail.org",
			"unpublishedmail.org", ""},
		stranger{"strict", "strictmail.org", "mail.strictmail.org", ""})
}

// mail is the message itself.
func (r stranger) mail(t *testing.T, number int, key ed25519.PrivateKey) string {
	t.Helper()
	raw := crlf(fmt.Sprintf("From: <post@%s>\nTo: robin@us.example\nSubject: %s\nMessage-ID: <%d@xmail.org>\nDate: "+
		"Sat, 14 Mar 2026 12:00:00 +0000\n\nHello.\n", r.header, r.name, number))
	if by, changed, _ := strings.Cut(r.sign, " "); by != "" {
		var signed bytes.Buffer
		if err := dkim.Sign(&signed, strings.NewReader(raw), &dkim.SignOptions{Domain: by, Selector: "key",
			Signer: key}); err != nil {
			t.Fatal(err)
		}
		raw = signed.String()
		if changed != "" {
			raw = strings.Replace(raw, "Hello.", "Good bye.", 1)
		}
	}
	return raw
}

// What we say about senders is what the programs of others say.
func TestSendVerdictsAgree(t *testing.T) {
	t.Parallel()
	const here, there = "198.20.0.10", "198.20.0.20"
	if !ownNetwork(t, here, there) {
		return
	}
	z := newZone(t, "127.0.0.1")
	key := publishPolicies(t, z, there)
	srv := start(t, "MAILKIN_DOMAIN=us.example", "MAILKIN_SMTP_ADDR="+here+":25", "MAILKIN_DNS="+z.addr)
	b := srv.mailbox(t, "robin")

	rows := senders(there)
	var mails []judged
	for i, r := range rows {
		raw := r.mail(t, i, key)
		mails = append(mails, judged{IP: there, From: "post@" + r.envelope, Helo: "host.mxmail.org", Raw: raw})
		c := callFrom(t, there, here+":25", "host.mxmail.org")
		if said, err := c.send(envelope{from: "post@" + r.envelope, to: []string{b.address}}, []byte(raw),
			byDATA); err != nil || said.code != 250 {
			t.Fatalf("%s: %v %v", r.name, said, err)
		}
	}
	theirs := z.ask(t, mails...)
	ours := b.inbox(t)
	for i, r := range rows {
		v := b.verdict(t, ours[len(ours)-1-i].ID)
		want := theirs[i]
		if len(want.Each) == 0 {
			want.DKIM = "none"
		}
		t.Logf("%-24s SPF %-9s DKIM %-5s DMARC %s", r.name, v.Auth.SPF, v.Auth.DKIM, v.Auth.DMARC)
		if v.Auth.SPF != want.SPF || v.Auth.DKIM != want.DKIM || v.Auth.DMARC != want.DMARC {
			t.Errorf("%s: we say %+v, others say %+v", r.name, v.Auth, want)
		}
	}
}
