package archtest

import (
	"go/ast"
	"maps"
	"os"
	"strings"
	"testing"
)

// The package comment of service lists every verb by its group, and nothing that is none.
func TestVerbsAreListed(t *testing.T) {
	verbs, listed := map[string]bool{}, map[string]bool{}
	err := walk(os.DirFS("../.."), func(f file) {
		if !strings.HasPrefix(f.name, "internal/service/") || f.syntax.Name.Name != "service" {
			return
		}
		if strings.HasSuffix(f.name, "/doc.go") {
			for line := range strings.Lines(f.syntax.Doc.Text()) {
				for word := range strings.FieldsSeq(line) {
					if line[0] == '\t' && ast.IsExported(word) {
						listed[word] = true
					}
				}
			}
		}
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && receiverOf(fn) == "Service" && fn.Name.IsExported() {
				verbs[fn.Name.Name] = true
			}
		}
	})
	if err != nil || len(verbs) < 100 {
		t.Fatalf("%d verbs, %v", len(verbs), err)
	}
	maps.DeleteFunc(verbs, func(verb string, _ bool) bool {
		known := listed[verb]
		delete(listed, verb)
		return known
	})
	if len(verbs)+len(listed) > 0 {
		t.Errorf("internal/service/doc.go lacks %v, and lists %v, which is no verb", verbs, listed)
	}
}

// receiverOf returns the type that a method is of; empty: it is none.
func receiverOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	of := fn.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
