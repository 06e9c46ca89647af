package test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The official TypeScript SDK's client uses the tools, over both ways and in three revisions of the protocol.
// MAILKIN_TEST_MCP_MODULES is the node_modules folder that it is installed in.
func TestMCPWithTypeScriptSDK(t *testing.T) {
	modules := os.Getenv("MAILKIN_TEST_MCP_MODULES")
	if modules == "" {
		modules = "../bin/mcp/node_modules"
	}
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "@modelcontextprotocol", "sdk", "package.json")); err != nil {
		what := "the npm package @modelcontextprotocol/sdk is not there; \"make setup\" brings it"
		if os.Getenv("CI") == "true" {
			t.Fatal(what)
		}
		t.Skip(what)
	}
	s := start(t)
	agent := s.mailbox(t, "agent")
	s.deliver(t, codeMail("271828"), agent.address)
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", "mcp/client.cjs")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "MODULES=" + modules, "BINARY=" + binary(t), "URL=" + s.http, "KEY=" + agent.key,
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
