package test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const (
	// what every Postfix of these tests has; %[1]s is its folder
	postfixOwn = `compatibility_level = 3.6
queue_directory = %[1]s/queue
data_directory = %[1]s/lib
maillog_file = %[1]s/log
maillog_file_prefixes = %[1]s
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
alias_maps =
alias_database =
`
	postfixMain = postfixOwn + `myhostname = mta.example
relay_domains = smtp.example, lmtp.example
transport_maps = inline:{ {smtp.example = smtp:[127.0.0.1]:%[2]s}, {lmtp.example = lmtp:inet:127.0.0.1:%[3]s} }
smtpd_relay_restrictions = permit_mynetworks, reject
smtp_tls_security_level = may
smtputf8_enable = yes
`
	postfixMaster = `127.0.0.1:%s inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`
)

// A real mail server hands its mail over by SMTP and by LMTP.
func TestBehindPostfix(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_DOMAIN=smtp.example,lmtp.example")
	bySMTP := srv.mailbox(t, "robin")
	var made struct {
		Mailbox string
		Key     string `json:"api_key"`
	}
	srv.do(t, request{method: "POST", path: "/v1/mailboxes", key: srv.token, body: `{"address":"robin@lmtp.example"}`},
		201, &made)
	byLMTP := box{srv: srv, address: made.Mailbox, key: made.Key, prefix: "/v1"}
	mta := startPostfix(t, srv)
	for _, tt := range []struct {
		name  string
		b     box
		proto string
	}{
		{"by SMTP with STARTTLS", bySMTP, "ESMTPS"},
		{"by LMTP", byLMTP, "LMTP"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t, mta)
			message := strings.Replace(mail("through postfix"), "someone@"+domain, tt.b.address, 1) + ".a dot\r\n" +
				string(largeMail("x", 200_000, 4))
			r, err := c.send(envelope{from: "ada@example.org", to: []string{tt.b.address}}, []byte(message), byDATA)
			if err != nil || r.code != 250 {
				t.Fatalf("postfix says %v %v", r, err)
			}
			eventually(t, func() error {
				if n := len(tt.b.inbox(t)); n != 1 {
					return fmt.Errorf("%d messages", n)
				}
				return nil
			})
			e := tt.b.only(t)
			raw := string(tt.b.raw(t, e.ID))
			if e.Metadata.Protocol != tt.proto || !strings.HasPrefix(raw, "Received: ") ||
				!strings.HasSuffix(raw, message) {
				t.Errorf("protocol %s, %d bytes of %d, begins %.80q", e.Metadata.Protocol, len(raw), len(message), raw)
			}
		})
	}
}

// postfixOwner is the user that Postfix runs as. Where none can be started the test is skipped.
func postfixOwner(t *testing.T) *user.User {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/postfix"); err != nil {
		t.Skip("Postfix is not installed")
	}
	owner, err := user.Lookup("postfix")
	if err != nil || os.Getuid() != 0 {
		t.Skip("only root can start a Postfix of its own")
	}
	return owner
}

// startPostfix starts a Postfix of the test's own and returns its address.
func startPostfix(t *testing.T, srv *server) string {
	t.Helper()
	owner := postfixOwner(t)
	dir := postfixFolder(t, owner)
	_, smtpPort, _ := net.SplitHostPort(srv.smtp)
	_, lmtpPort, _ := net.SplitHostPort(srv.lmtp)
	addr := freeAddr(t)
	_, port, _ := net.SplitHostPort(addr)
	writeFile(t, filepath.Join(dir, "etc", "main.cf"), fmt.Sprintf(postfixMain, dir, smtpPort, lmtpPort))
	writeFile(t, filepath.Join(dir, "etc", "master.cf"), fmt.Sprintf(postfixMaster, port))
	runPostfix(t, dir, addr)
	return addr
}

// runPostfix starts the Postfix of a folder, and waits until it answers at its address.
func runPostfix(t *testing.T, dir, addr string) {
	t.Helper()
	etc := filepath.Join(dir, "etc")
	// makes its folders
	if out, err := exec.Command("/usr/sbin/postfix", "-c", etc, "check").CombinedOutput(); err != nil {
		t.Skipf("Postfix does not work here: %v: %s", err, out)
	}
	said := newTranscript()
	// in the foreground, so that it is ours to end
	cmd := exec.Command(filepath.Join(daemons(t), "master"), "-c", etc, "-d")
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = said, said, patience
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that it ends its children when it ends
	gone := begin(t, cmd)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-gone
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Logf("Postfix said:\n%s%s", said, log)
		}
	})
	eventually(t, func() error {
		select {
		case <-gone:
			t.Skipf("Postfix does not start here: %s", said)
		default:
		}
		c, err := dial(addr)
		if err == nil {
			c.conn.Close()
		}
		return err
	})
}

// daemons is where Postfix has its programs.
func daemons(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("/usr/sbin/postconf", "-d", "-h", "daemon_directory").Output()
	if err != nil {
		t.Skipf("Postfix does not work here: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// postfixFolder makes the folders of a Postfix, which its own user must be able to reach.
func postfixFolder(t *testing.T, owner *user.User) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mailkin-postfix-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	uid, _ := strconv.Atoi(owner.Uid)
	for name, mode := range map[string]os.FileMode{"": 0o755, "etc": 0o755, "queue": 0o755, "lib": 0o700} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(filepath.Join(dir, "lib"), uid, -1); err != nil {
		t.Fatal(err)
	}
	return dir
}

// freeAddr is an address that nobody listens on, for a program that cannot choose one itself.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
