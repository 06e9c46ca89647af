package test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The SDK of AgentMail runs against the binary: every method that the door supports, and its WebSocket.
// MAILKIN_TEST_DOOR_MODULES is the node_modules folder that it is installed in.
func TestAgentMailWithSDK(t *testing.T) {
	modules := os.Getenv("MAILKIN_TEST_DOOR_MODULES")
	if modules == "" {
		modules = "../bin/doors/node_modules"
	}
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "agentmail", "package.json")); err != nil {
		what := "the npm package agentmail is not there; \"make setup\" brings it"
		if os.Getenv("CI") == "true" {
			t.Fatal(what)
		}
		t.Skip(what)
	}
	s := start(t)
	own := s.mailbox(t, "own")
	var made struct {
		Key string `json:"api_key"`
	}
	s.do(t, request{method: "POST", path: fmt.Sprintf("/v1/mailboxes/%s/keys", own.address), key: s.token,
		body: `{"name":"platform","create_mailboxes":true}`}, http.StatusCreated, &made)
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", "agentmail/client.cjs")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "MODULES=" + modules, "BASE=" + s.http + "/agentmail",
		"INGEST=" + s.http + "/v1/ingest", "KEY=" + made.Key, "OPERATOR=" + s.token, "OWN=" + own.address}
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "all of it") {
		t.Fatalf("%v\n%s", err, out.String())
	}
}
