package test

import (
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// receivingPostfix is a Postfix that takes mail for post.example: kept@ goes to a folder, refused@ is refused at RCPT,
// and all others are taken and bounced later. What it sends goes to one server, for any domain.
const receivingPostfix = postfixOwn + `myhostname = mx.post.example
virtual_mailbox_domains = post.example
virtual_mailbox_base = %[1]s/mail
virtual_mailbox_maps = inline:{ {kept@post.example = kept/} }
virtual_uid_maps = static:%[2]s
virtual_gid_maps = static:%[3]s
smtpd_reject_unlisted_recipient = no
smtpd_recipient_restrictions = check_recipient_access inline:{ {refused@post.example = 550 5.1.1 Nobody of that name} }, permit
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_tls_security_level = may
smtpd_tls_cert_file = %[4]s
smtpd_tls_key_file = %[5]s
smtp_tls_security_level = may
smtputf8_enable = yes
notify_classes =
transport_maps = inline:{ {post.example = virtual:} }
default_transport = smtp:[127.0.0.1]:%[6]s
`

const virtualAgent = "virtual unix - n n - - virtual\n"

// postfixMX is a running Postfix of that kind.
type postfixMX struct {
	port string
	dir  string
}

// startPostfixMX starts it on a port; what it sends goes to another.
func startPostfixMX(t *testing.T, port, next string) *postfixMX {
	t.Helper()
	owner := postfixOwner(t)
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	p := &postfixMX{port: port, dir: postfixFolder(t, owner)}
	if err := os.Mkdir(filepath.Join(p.dir, "mail"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(p.dir, "mail"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, cert, key := certificate(t, "mx.post.example")
	etc := filepath.Join(p.dir, "etc")
	writeFile(t, filepath.Join(etc, "main.cf"), fmt.Sprintf(receivingPostfix, p.dir, nobody.Uid, nobody.Gid, cert, key,
		next))
	writeFile(t, filepath.Join(etc, "master.cf"), fmt.Sprintf(postfixMaster, port)+virtualAgent)
	runPostfix(t, p.dir, net.JoinHostPort("127.0.0.1", p.port))
	return p
}

// kept waits until kept@post.example has a given number of messages, and returns their bytes.
func (p *postfixMX) kept(t *testing.T, count int) (list []string) {
	t.Helper()
	eventually(t, func() error {
		files, err := filepath.Glob(filepath.Join(p.dir, "mail", "kept", "new", "*"))
		if err != nil {
			return err
		}
		if len(files) != count {
			return fmt.Errorf("%d messages in the folder, want %d", len(files), count)
		}
		list = nil
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			list = append(list, string(b))
		}
		return nil
	})
	return list
}

// outside is a message without what Postfix puts before it, and with line ends as on the wire.
func outside(kept string) string {
	_, rest, _ := strings.Cut(kept, "DKIM-Signature:")
	return strings.ReplaceAll("DKIM-Signature:"+rest, "\n", "\r\n")
}

// freePort is a port of loopback that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	_, port, _ := net.SplitHostPort(freeAddr(t))
	return port
}
