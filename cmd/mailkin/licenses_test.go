package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What "mailkin licenses" prints has a text for every module that is linked on any system we release for, and for
// no other.
func TestLicenses(t *testing.T) {
	var out bytes.Buffer
	p := program{args: []string{"licenses"}, stdout: &out, stderr: &out}
	if status := p.run(); status != 0 {
		t.Fatalf("status %d: %s", status, out.String())
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^== ([^,]+), `).FindAllStringSubmatch(out.String(), -1) {
		named[m[1]] = true
	}
	want := map[string]bool{"Mailkin": true, "Go": true, "Lit": true}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"} {
		system, processor, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		modules, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range strings.Fields(string(modules)) {
			want[module] = true
		}
	}
	for module := range want {
		if !named[module] {
			t.Errorf("no licence of %s; go run -C tools ./release licences", module)
		}
		delete(named, module)
	}
	for module := range named {
		t.Errorf("%s is not linked; go run -C tools ./release licences", module)
	}
}
