package mcpserver

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The table of the manual is the table of tools.
func TestManualHasEveryTool(t *testing.T) {
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, tool := range tools() {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", tool.name, tool.title, argumentsOf(tool),
			map[bool]string{false: "yes", true: "no"}[tool.permanent])
	}
	if !strings.Contains(string(page), table.String()) {
		t.Errorf("docs/mcp.md does not have this table:\n%s", table.String())
	}
}

// argumentsOf are the names of a tool's arguments, those that it needs first and in bold.
func argumentsOf(t tool) string {
	var needed, others []string
	for _, a := range t.input {
		switch {
		case a.hidden:
		case a.needed:
			needed = append(needed, "**`"+a.name+"`**")
		default:
			others = append(others, "`"+a.name+"`")
		}
	}
	return strings.Join(append(needed, others...), ", ")
}
