package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// object is one of JSON; its keys are written in order, so that the same binary gives the same file.
type object = map[string]any

// component is a part of the program as CycloneDX has it.
func component(kind, path, version string, licences []string) object {
	c := object{"type": kind, "name": path, "version": version}
	if strings.Contains(path, "/") {
		c["purl"] = "pkg:golang/" + path + "@" + version
		c["bom-ref"] = c["purl"]
	} else {
		c["bom-ref"] = path + "@" + version
	}
	var list []object
	for _, id := range licences {
		list = append(list, object{"license": object{"id": id}})
	}
	if list != nil {
		c["licenses"] = list
	}
	return c
}

// writeSBOM describes a binary by what Go wrote into it.
func writeSBOM(w io.Writer, file string) error {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	program := component("application", info.Main.Path, info.Main.Version, []string{"Apache-2.0"})
	program["hashes"] = []object{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sha256.Sum256(content))}}
	parts := []object{component("library", "go", strings.TrimPrefix(info.GoVersion, "go"), []string{"BSD-3-Clause"})}
	for _, name := range others {
		parts = append(parts, name)
	}
	for _, m := range info.Deps {
		ids, err := licencesOf(m.Path, m.Version)
		if err != nil {
			return err
		}
		parts = append(parts, component("library", m.Path, m.Version, ids))
	}
	metadata := object{"component": program, "properties": []object{
		{"name": "go:GOOS", "value": setting["GOOS"]}, {"name": "go:GOARCH", "value": setting["GOARCH"]},
		{"name": "vcs:revision", "value": setting["vcs.revision"]}}}
	if setting["vcs.time"] != "" {
		metadata["timestamp"] = setting["vcs.time"]
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(object{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "metadata": metadata, "components": parts})
}

// others is what NOTICE names: parts of the program that are no Go modules.
var others = []object{
	{"type": "library", "name": "lit", "version": "3.3.3", "purl": "pkg:npm/lit@3.3.3", "bom-ref": "pkg:npm/lit@3.3.3",
		"licenses": []object{{"license": object{"id": "BSD-3-Clause"}}}},
	{"type": "machine-learning-model", "name": "universal-sentence-encoder-lite", "version": "1",
		"bom-ref": "universal-sentence-encoder-lite@1", "licenses": []object{{"license": object{"id": "Apache-2.0"}}}},
}

// phrases tell licences by a sentence that only they have, the more specific first.
var phrases = []struct {
	id   string
	text *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License,? Version 2\.0`)},
	{"MPL-2.0", regexp.MustCompile(`Mozilla Public License,? (Version|version) 2\.0`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?i)redistributions? of source code[^|]*(neither the names?|the names? of)`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)redistributions? of source code`)},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge`)},
	{"ISC", regexp.MustCompile(`Permission to use, copy, modify,? and(/or)? distribute`)},
	{"0BSD", regexp.MustCompile(`BSD Zero Clause`)},
	{"Unlicense", regexp.MustCompile(`free and unencumbered software released into the public domain`)},
	{"CC0-1.0", regexp.MustCompile(`CC0 1\.0 Universal`)},
}

// licencesOf are the licences of a module by their names in SPDX. One that is not known is an error: a person has to
// look at it.
func licencesOf(path, version string) (ids []string, err error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
	cmd.Dir = root
	dir, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("find %s %s: %w", path, version, err)
	}
	m := module{path: path, dir: strings.TrimSpace(string(dir))}
	texts, err := m.texts()
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		text = strings.Join(strings.Fields(text), " ")
		for _, p := range phrases {
			if p.text.MatchString(text) {
				if !slices.Contains(ids, p.id) {
					ids = append(ids, p.id)
				}
				break
			}
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("the licence of %s is not one that is known here", path)
	}
	slices.Sort(ids)
	return ids, nil
}
