package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The forms of import and export that the packages' own build writes. What is left of either word afterwards is an
// error.
var (
	sourceMap  = regexp.MustCompile(`(?m)^//# sourceMappingURL=.*$`)
	importBare = regexp.MustCompile(`import"([^"]+)";`)
	importSome = regexp.MustCompile(`import\{([^}]*)\}from"([^"]+)";`)
	exportAll  = regexp.MustCompile(`export\*from"([^"]+)";`)
	exportFrom = regexp.MustCompile(`export\{([^}]*)\}from"([^"]+)";`)
	exportSome = regexp.MustCompile(`export\{([^}]*)\};`)
	leftOver   = regexp.MustCompile(`(^|[;}\n])(import|export)\b`)
)

// bundler writes modules in the order in which they need each other.
type bundler struct {
	packages map[string]npmPackage
	names    map[string]string // of the variables that hold what modules export, by module
	code     strings.Builder
}

func bundle(packages map[string]npmPackage) (string, error) {
	b := bundler{packages: packages, names: map[string]string{}}
	b.heading()
	var exports strings.Builder
	for _, w := range wanted {
		name, err := b.add(w.module)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&exports, "export const{%s}=%s;\n", strings.Join(w.names, ","), name)
	}
	return b.code.String() + exports.String(), nil
}

func (b *bundler) heading() {
	var names []string
	for _, p := range b.packages {
		names = append(names, p.Name+" "+p.Version)
	}
	slices.Sort(names)
	fmt.Fprintf(&b.code, "// Made by tools/vendor-lit from the npm packages %s. Do not edit.\n",
		strings.Join(names, ", "))
	fmt.Fprintf(&b.code, "// The licence is in lit.LICENSE.txt.\n")
}

// add writes a module, after those that it needs, and returns the variable that holds what it exports.
func (b *bundler) add(module string) (string, error) {
	packageName, file := split(module)
	id := packageName + "/" + file
	if name, ok := b.names[id]; ok {
		return name, nil
	}
	source, ok := b.packages[packageName].files[file]
	if !ok {
		return "", fmt.Errorf("there is no module %s", module)
	}
	body, result, err := b.rewrite(id, string(source))
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("$%d", len(b.names))
	b.names[id] = name
	fmt.Fprintf(&b.code, "const %s=(()=>{%s\nreturn{%s}})();\n", name, strings.TrimSpace(body),
		strings.Join(result, ","))
	return name, nil
}

// rewrite takes the imports and exports out of a module: what it imports comes from variables, what it exports is
// returned.
func (b *bundler) rewrite(id, source string) (body string, result []string, failed error) {
	from := func(module string) string {
		if strings.HasPrefix(module, ".") {
			module = path.Join(path.Dir(id), module)
		}
		name, err := b.add(module)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", id, err)
		}
		return name
	}
	each := func(form *regexp.Regexp, with func(m []string) string) {
		source = form.ReplaceAllStringFunc(source, func(s string) string { return with(form.FindStringSubmatch(s)) })
	}
	each(sourceMap, func([]string) string { return "" })
	each(importBare, func(m []string) string { from(m[1]); return "" })
	each(importSome, func(m []string) string {
		return "const{" + strings.ReplaceAll(m[1], " as ", ":") + "}=" + from(m[2]) + ";"
	})
	each(exportAll, func(m []string) string { result = append(result, "..."+from(m[1])); return "" })
	each(exportFrom, func(m []string) string {
		for _, pair := range strings.Split(m[1], ",") {
			own, exported := renamed(pair)
			result = append(result, exported+":"+from(m[2])+"."+own)
		}
		return ""
	})
	each(exportSome, func(m []string) string {
		for _, pair := range strings.Split(m[1], ",") {
			own, exported := renamed(pair)
			result = append(result, exported+":"+own)
		}
		return ""
	})
	if left := leftOver.FindString(source); left != "" && failed == nil {
		failed = fmt.Errorf("%s: a form of import or export that is not known", id)
	}
	return source, result, failed
}

// renamed reads "own as exported", or a name that is both.
func renamed(pair string) (own, exported string) {
	own, exported, ok := strings.Cut(strings.TrimSpace(pair), " as ")
	if !ok {
		exported = own
	}
	return own, exported
}
