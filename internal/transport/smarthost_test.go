package transport

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

func TestParseRelay(t *testing.T) {
	for in, want := range map[string]string{
		"smtp://user:pass@mail.example.com:587":     "smtp://user@mail.example.com:587",
		"smtp://user:pass@mail.example.com":         "smtp://user@mail.example.com:587",
		"smtps://user:pass@Mail.Example.com":        "smtps://user@mail.example.com:465",
		"smtp://mail.example.com:25":                "smtp://mail.example.com:25",
		"smtp://mail.example.com?tls=off":           "smtp://mail.example.com:587",
		"smtp://mail.example.com/?tls=insecure":     "smtp://mail.example.com:587",
		"smtp://a%40b.example:p%3Aw%2F@[::1]:2525":  "smtp://a%40b.example@[::1]:2525",
		"smtp://user:pass@localhost:1025?tls=off":   "smtp://user@localhost:1025",
		"smtp://user:pass@127.0.0.2:1025?tls=off":   "smtp://user@127.0.0.2:1025",
		"smtps://mail.example.com:465?tls=insecure": "smtps://mail.example.com:465",
	} {
		if r, err := ParseRelay(in); err != nil || r.String() != want || fmt.Sprintf("%v %+v %#v", r, r, r) != want+" "+
			want+" "+want {
			t.Errorf("%s: %#v, %v", in, r, err)
		}
	}
	for in, want := range map[string]error{
		"": errRelayURL, "mail.example.com": errRelayURL, "mail.example.com:587": errRelayURL,
		"http://mail.example.com": errRelayURL,
		"smtp:mail.example.com":   errRelayURL, "smtp://user:geheim@mail.example.com:x": errRelayURL,
		"smtp://user:ge%zzheim@mail.example.com": errRelayURL,
		"smtp://":                                errRelayHost, "smtp://:587": errRelayHost,
		"smtp://mail.example.com:0": errRelayPort, "smtp://mail.example.com:65536": errRelayPort,
		"smtp://user@mail.example.com": errRelayUser, "smtp://user:@mail.example.com": errRelayUser,
		"smtp://:geheim@mail.example.com": errRelayUser,
		"smtp://mail.example.com/x":       errRelayExtra, "smtp://mail.example.com?x=y": errRelayExtra,
		"smtp://mail.example.com?tls=off&tls=off": errRelayExtra,
		"smtp://mail.example.com#x":               errRelayExtra, "smtp://mail.example.com?tls=on": errRelayTLS,
		"smtp://mail.example.com?tls=":                errRelayTLS,
		"smtps://mail.example.com?tls=off":            errRelaySMTPS,
		"smtp://user:geheim@mail.example.com?tls=off": errRelayInOpen,
	} {
		_, err := ParseRelay(in)
		if !errors.Is(err, want) || strings.Contains(fmt.Sprint(err), "geheim") {
			t.Errorf("%s: %v, want %v", in, err, want)
		}
	}
}

func TestSmarthost(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	config := ca.server(t, "relay.example")
	plain := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00ann\x00s3cret"))
	login := "AUTH LOGIN|" + base64.StdEncoding.EncodeToString([]byte("ann")) + "|" + base64.StdEncoding.EncodeToString(
		[]byte("s3cret"))
	for _, tt := range []struct {
		name     string
		url      string
		server   *server
		outcome  Outcome
		verified bool
		text     string // of the result, or between the last EHLO and MAIL
	}{
		{"STARTTLS and PLAIN", "smtp://ann:s3cret@relay.example",
			&server{offer: []string{"STARTTLS", "AUTH LOGIN PLAIN"}, tls: config}, Delivered, true, plain},
		{"STARTTLS and LOGIN", "smtp://ann:s3cret@relay.example", &server{offer: []string{"STARTTLS", "AUTH LOGIN"},
			tls:  config,
			says: map[string]string{"AUTH": "334 VXNlcm5hbWU6", "YW5U": "334 UGFzc3dvcmQ6"}}, Delivered, true, login},
		{"AUTH with an equals sign", "smtp://ann:s3cret@relay.example",
			&server{offer: []string{"STARTTLS", "AUTH=PLAIN"}, tls: config}, Delivered, true, plain},
		{"no password", "smtp://relay.example", &server{offer: []string{"STARTTLS"}, tls: config}, Delivered, true, ""},
		{"implicit TLS", "smtps://ann:s3cret@relay.example", &server{implicit: true, offer: []string{"AUTH PLAIN"},
			tls: config}, Delivered, true, plain},
		{"insecure", "smtp://ann:s3cret@relay.example?tls=insecure", &server{offer: []string{"STARTTLS", "AUTH PLAIN"},
			tls: stranger.server(t, "x")}, Delivered, false, plain},
		{"without TLS", "smtp://relay.example?tls=off", &server{offer: []string{"STARTTLS"}, tls: config}, Delivered,
			false, ""},
		{"on this machine, none offered", "smtp://ann:s3cret@127.0.0.1", &server{offer: []string{"AUTH PLAIN"}},
			Delivered, false, plain},
		{"on this machine, offered", "smtp://ann:s3cret@127.0.0.1", &server{offer: []string{"STARTTLS", "AUTH PLAIN"},
			tls: stranger.server(t, "x")}, Delivered, false, plain},

		{"not offered", "smtp://ann:s3cret@relay.example", &server{offer: []string{"AUTH PLAIN"}}, Temporary, false,
			"must be reached with TLS (the settings), and does not offer it"},
		{"not offered, no password", "smtp://relay.example", &server{}, Temporary, false,
			"must be reached with TLS (the settings), and does not offer it"},
		{"certificate of a stranger", "smtp://ann:s3cret@relay.example",
			&server{offer: []string{"STARTTLS", "AUTH PLAIN"}, tls: stranger.server(t, "relay.example")}, Temporary,
			false, "TLS with relay.example failed"},
		{"certificate for another name", "smtps://ann:s3cret@relay.example",
			&server{implicit: true, tls: ca.server(t, "x.example")}, Temporary, false, "TLS with relay.example failed"},
		{"wrong password", "smtp://ann:s3cret@relay.example", &server{offer: []string{"STARTTLS", "AUTH PLAIN"},
			tls:  config,
			says: map[string]string{"AUTH": "535 5.7.8 no"}}, Temporary, true, "relay.example refused the user name " +
			"and password: no"},
		{"wrong password for LOGIN", "smtp://ann:s3cret@relay.example",
			&server{offer: []string{"STARTTLS", "AUTH LOGIN"}, tls: config,
				says: map[string]string{"AUTH": "535 5.7.8 no"}}, Temporary, true,
			"relay.example refused the user name " +
				"and password: no"},
		{"password repeated", "smtp://ann:s3cret@relay.example", &server{offer: []string{"STARTTLS", "AUTH PLAIN"},
			tls:  config,
			says: map[string]string{"AUTH": "501 5.5.2 cannot decode " + plain}}, Temporary, true,
			"password: (it repeats the password)"},
		{"password repeated in the open", "smtp://ann:s3cret@relay.example",
			&server{offer: []string{"STARTTLS", "AUTH PLAIN"}, tls: config,
				says: map[string]string{"AUTH": "535 ann/s3cret is wrong"}}, Temporary, true,
			"password: (it repeats the password)"},
		{"unknown mechanism", "smtp://ann:s3cret@relay.example", &server{offer: []string{"STARTTLS", "AUTH GSSAPI"},
			tls: config}, Temporary, true, "offers no way to log in"},
		{"greeting refuses", "smtp://relay.example", &server{says: map[string]string{"": "554 no"}}, Temporary, false,
			"no"},
		{"recipient refused", "smtp://relay.example?tls=off",
			&server{says: map[string]string{"RCPT": "550 5.1.1 no such user"}}, Permanent, false, "no such user"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			relay, err := ParseRelay(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			address := tt.server.on(t, "127.0.0.1:0")
			w := NewSmarthost(relay, SmarthostOptions{Hostname: "us.example", Roots: ca.pool, Log: testLog(t),
				Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, address)
				}})
			r := deliver(t, w, "anywhere.example")
			heard := tt.server.log()
			if r.Outcome != tt.outcome || r.Verified != tt.verified || r.Host != relay.host {
				t.Errorf("%+v after %s", r, heard)
			}
			if strings.Contains(r.String(), "s3cret") || strings.Contains(r.String(), plain[11:]) {
				t.Error("the password is told")
			}
			if tt.outcome != Delivered {
				if !strings.Contains(r.Text, tt.text) {
					t.Errorf("%q, want %q", r.Text, tt.text)
				}
				return
			}
			_, got, _ := strings.Cut(heard[strings.LastIndex(heard, "EHLO"):], "|")
			if got, _, _ = strings.Cut(got, "MAIL"); strings.TrimSuffix(got, "|") != tt.text {
				t.Errorf("heard %s, want %s", got, tt.text)
			}
		})
	}
}

// A password is never sent in the open, whatever the server says.
func TestPasswordNeedsTLS(t *testing.T) {
	s := &server{offer: []string{"AUTH PLAIN"}}
	c := newClient("us.example", nil, testLog(t))
	conn, err := net.Dial("tcp", s.on(t, "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	far := newSession(&c, "relay.example", conn)
	far.addr = addrOf("192.0.2.1:587")
	if p := far.begin(t.Context(), target{host: "relay.example", user: "ann", password: "s3cret",
		demand: demand{off: true}}); p == nil || p.Enhanced != "4.7.11" {
		t.Errorf("%+v", p)
	}
	if got := s.log(); strings.Contains(got, "AUTH") {
		t.Error(got)
	}
	if versionName(tls.VersionTLS13) != "TLS1.3" {
		t.Error(versionName(tls.VersionTLS13))
	}
}
