// Command chart reads Kubernetes objects as YAML and checks each against the types of the Kubernetes version in go.mod:
// a kind that there is not, a field that there is not or is there twice, and a value of another type are errors.
//
//	helm template mailkin deploy/helm/mailkin | go run -C tools/chart .
//
// It is a module of its own because helm and these types bring more modules than all the rest.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	kinds, err := check(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
	fmt.Println("right:", kinds)
}

func check(r io.Reader) (kinds []string, err error) {
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		json.SerializerOptions{Yaml: true, Strict: true})
	for documents := yaml.NewYAMLReader(bufio.NewReader(r)); ; {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		_, kind, err := decoder.Decode(text, nil, nil)
		if runtime.IsMissingKind(err) && len(text) < 8 {
			continue // nothing between two separators
		}
		if err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, text)
		}
		kinds = append(kinds, kind.Kind)
	}
	if len(kinds) == 0 {
		return nil, errors.New("there is nothing to check")
	}
	return kinds, nil
}
