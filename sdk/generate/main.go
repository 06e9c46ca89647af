// Command generate writes what the SDKs take from the description of the interface: models, and a method for each
// operation. What is written by hand is built on that.
//
//	go run ./sdk/generate
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mailkin/mailkin/internal/httpapi"
)

func main() {
	files, err := generate()
	for path, content := range files {
		if err == nil {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate returns the files by their paths from the root of the repository.
func generate() (map[string]string, error) {
	document, err := httpapi.OpenAPI()
	if err != nil {
		return nil, err
	}
	s, err := readSpec(document)
	if err != nil {
		return nil, err
	}
	s.nameObjects()
	models, err := typescriptModels(s)
	if err != nil {
		return nil, err
	}
	python := filepath.Join("sdk", "python", "src", "mailkin")
	typescript := filepath.Join("sdk", "typescript", "src")
	return map[string]string{
		filepath.Join(python, "models.py"):               pythonModels(s),
		filepath.Join(python, "_async", "operations.py"): pythonOperations(s),
		filepath.Join(typescript, "models.ts"):           models,
		filepath.Join(typescript, "operations.ts"):       typescriptOperations(s),
	}, nil
}
