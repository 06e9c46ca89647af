package mcpserver_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app/apptest"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mcpserver"
)

// patience is how long anything may take before a test gives up.
const patience = 60 * time.Second

const token = apptest.Token

// shared returns the service that tests share; each has mailboxes of its own.
var shared = sync.OnceValue(func() *apptest.Service {
	s, err := apptest.Start(func(*config.Config) {})
	if err != nil {
		panic(err)
	}
	stopShared = s.Stop
	return s
})

var stopShared = func() error { return nil }

func TestMain(m *testing.M) {
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// kit is a test with a service.
type kit struct {
	testing.TB
	url      string
	operator *client.Client
	dialer   *http.Client // of this test alone
}

func newKit(t testing.TB) *kit {
	t.Helper()
	url := shared().URL
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, MaxIdleConnsPerHost: 600}
	t.Cleanup(transport.CloseIdleConnections)
	k := &kit{TB: t, url: url, dialer: &http.Client{Transport: transport}}
	k.operator = k.client(token)
	return k
}

func (k *kit) client(key string) *client.Client {
	k.Helper()
	c, err := client.New(k.url, key, client.WithHTTPClient(k.dialer))
	k.done(err)
	return c
}

func (k *kit) done(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

func (k *kit) ctx() context.Context {
	ctx, cancel := context.WithTimeout(k.Context(), patience)
	k.Cleanup(cancel)
	return ctx
}

// mailbox makes a mailbox.
func (k *kit) mailbox() (address, key string) {
	k.Helper()
	made, err := k.operator.CreateMailbox(k.ctx(), api.NewMailbox{Name: "m" + strings.ToLower(rand.Text()[:12])})
	k.done(err)
	return made.Mailbox, made.APIKey
}

// reviewed has a person approve what a mailbox sends.
func (k *kit) reviewed(address string) {
	k.Helper()
	_, err := k.operator.For(address).SetSendPolicy(k.ctx(), "review_all")
	k.done(err)
}

// temporary makes a temporary mailbox.
func (k *kit) temporary() (address, key string) {
	k.Helper()
	made, err := k.client("").Bootstrap(k.ctx(), "")
	k.done(err)
	return made.Mailbox, made.APIKey
}

// deliver hands a message in.
func (k *kit) deliver(to, raw string) string {
	k.Helper()
	kept, err := k.operator.Ingest(k.ctx(), to, strings.NewReader(raw))
	k.done(err)
	return kept.ID
}

// letter is a message.
func letter(subject, text string) string {
	return "From: Ann <ann@shop.example>\r\nTo: someone@mailkin.localhost\r\nSubject: " + subject +
		"\r\nMessage-ID: <" + rand.Text() + "@shop.example>\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
}

// withFile is a message with a file.
func withFile(subject, text, name, kind, base64 string) string {
	return "From: Ann <ann@shop.example>\r\nTo: someone@mailkin.localhost\r\nSubject: " + subject +
		"\r\nMessage-ID: <" + rand.Text() + "@shop.example>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n" +
		"--b\r\nContent-Type: " + kind + "\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; " +
		"filename=\"" + name + "\"\r\n\r\n" + base64 + "\r\n--b--\r\n"
}

// keyed adds a key to requests.
type keyed struct {
	key  string
	next http.RoundTripper
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return k.next.RoundTrip(r)
}

// session is a client of the tools.
type session struct {
	*mcp.ClientSession
	k *kit
}

// overHTTP connects to /mcp with a key.
func (k *kit) overHTTP(key string) *session {
	k.Helper()
	return k.connect(&mcp.StreamableClientTransport{
		Endpoint: k.url + "/mcp", HTTPClient: &http.Client{Transport: keyed{key, k.dialer.Transport}}, MaxRetries: -1,
		DisableStandaloneSSE: true,
	}, nil)
}

// overPipes connects to a server such as "mailkin mcp" is one, on pipes.
func (k *kit) overPipes(keep mcpserver.Keep, options *mcp.ClientOptions) *session {
	k.Helper()
	server := mcpserver.New(mcpserver.Config{Version: "test", Source: mcpserver.NewKeeper(keep, "test")})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, &mcp.IOTransport{Reader: inR, Writer: outW}) }()
	k.Cleanup(func() {
		cancel()
		<-ended
	})
	return k.connect(&mcp.IOTransport{Reader: outR, Writer: inW}, options)
}

func (k *kit) connect(t mcp.Transport, options *mcp.ClientOptions) *session {
	k.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	s, err := c.Connect(k.ctx(), t, nil)
	k.done(err)
	k.Cleanup(func() { _ = s.Close() })
	return &session{s, k}
}

// names are the tools that are shown.
func (s *session) names() []string {
	s.k.Helper()
	list, err := s.ListTools(s.k.ctx(), nil)
	s.k.done(err)
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

type object = map[string]any

// raw calls a tool.
func (s *session) raw(name string, arguments object) *mcp.CallToolResult {
	s.k.Helper()
	r, err := s.CallTool(s.k.ctx(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		s.k.Fatalf("%s: %v", name, err)
	}
	return r
}

// call calls a tool that must not fail, checks what all results have in common, and returns the structure.
func (s *session) call(name string, arguments object) object {
	s.k.Helper()
	r := s.raw(name, arguments)
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		s.k.Fatalf("%s: %s", name, text)
	}
	var fromText object
	s.k.done(json.Unmarshal([]byte(text), &fromText))
	structure, ok := r.StructuredContent.(object)
	if !ok {
		s.k.Fatalf("%s: no structure: %T", name, r.StructuredContent)
	}
	a, _ := json.Marshal(fromText)
	b, _ := json.Marshal(structure)
	if string(a) != string(b) {
		s.k.Errorf("%s: text and structure differ:\n%s\n%s", name, a, b)
	}
	return structure
}

// refused calls a tool that must fail, and returns the sentence.
func (s *session) refused(name string, arguments object) string {
	s.k.Helper()
	r := s.raw(name, arguments)
	if !r.IsError || len(r.Content) != 1 {
		s.k.Fatalf("%s did not fail: %+v", name, r.StructuredContent)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// memory keeps an account as a test wants it.
type memory struct {
	mu      sync.Mutex
	account mcpserver.Account
	saved   []mcpserver.Account
	refuses bool
}

func (m *memory) Load() (mcpserver.Account, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.account, nil
}

func (m *memory) Save(a mcpserver.Account) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuses {
		return false, nil
	}
	m.account, m.saved = a, append(m.saved, a)
	return true, nil
}

func (m *memory) set(a mcpserver.Account) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.account = a
}
