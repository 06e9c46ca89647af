package mcpserver

import (
	"fmt"
	"os"
	"slices"
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
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", tool.name, tool.title, argumentsOf(tool), map[bool]string{false: "yes", true: "no"}[tool.permanent])
	}
	if !strings.Contains(string(page), table.String()) {
		t.Errorf("docs/mcp.md does not have this table:\n%s", table.String())
	}
}

// argumentsOf are the names of a tool's arguments, those that it needs first and in bold.
func argumentsOf(t tool) string {
	required, _ := t.input["required"].([]string)
	var needed, others []string
	for name := range t.input["properties"].(members) {
		if slices.Contains(required, name) {
			needed = append(needed, "**`"+name+"`**")
		} else {
			others = append(others, "`"+name+"`")
		}
	}
	slices.Sort(needed)
	slices.Sort(others)
	return strings.Join(append(needed, others...), ", ")
}
