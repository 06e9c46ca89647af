package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An export without entries is not said to be whole.
func TestVerifyEmptyExport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verifyFile(path); err == nil || !strings.Contains(err.Error(), "there are no entries in "+path) {
		t.Errorf("an empty file: %v", err)
	}
}
