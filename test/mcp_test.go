package test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official TypeScript SDK's client uses the tools, over both ways and in three revisions of the protocol.
// MAILKIN_TEST_MCP_MODULES is the node_modules folder that it is installed in.
func TestMCPWithTypeScriptSDK(t *testing.T) {
	t.Parallel()
	modules := nodeModules(t, "MAILKIN_TEST_MCP_MODULES", "../bin/mcp/node_modules", "@modelcontextprotocol/sdk")
	s := start(t)
	agent := s.mailbox(t, "agent")
	s.deliver(t, codeMail("271828"), agent.address)
	watched := s.mailbox(t, "watched")
	watched.policy(t, "review_all")
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", "mcp/client.cjs")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "MODULES=" + modules, "BINARY=" + binary(t), "URL=" + s.http, "KEY=" + agent.key,
		"HELD_KEY=" + watched.key,
		"HOME_DIR=" + t.TempDir(), "CODE=271828",
	}
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if sessions := strings.Count(out.String(), `"revision"`); sessions != 7 {
		t.Errorf("%d sessions were held:\n%s", sessions, out.String())
	}
}

// mcpKey adds a key to requests.
type mcpKey struct {
	key  string
	next http.RoundTripper
}

func (k mcpKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return k.next.RoundTrip(r)
}

// Many clients use the tools at once, each with a handshake, a list and a call, and none meets an error.
func TestMCPManyClients(t *testing.T) {
	const clients = 500
	s := start(t)
	agent := s.mailbox(t, "agent")
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	through := &http.Client{Transport: mcpKey{agent.key, transport}}
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for range clients {
		wg.Go(func() {
			<-begin
			if err := useTools(ctx, s.http+"/mcp", through, agent.address); err != nil {
				t.Error(err)
			}
		})
	}
	close(begin)
	wg.Wait()
}

// useTools is a session of one client.
func useTools(ctx context.Context, url string, through *http.Client, address string) error {
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: through, MaxRetries: -1,
		DisableStandaloneSSE: true}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_stats"})
	if err != nil {
		return err
	}
	structure, _ := r.StructuredContent.(map[string]any)
	if r.IsError || len(list.Tools) != 20 || structure["mailbox"] != address {
		return fmt.Errorf("%d tools; %v", len(list.Tools), r.StructuredContent)
	}
	return nil
}
