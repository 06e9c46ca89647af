package httpapi

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// elsewhere are codes that never come over HTTP: they are for SMTP, end inside, or are for errors that have none.
var elsewhere = []string{"foreign_sender", "dmarc_reject", "blocklisted", "lease_lost", "too_large", "rate_limited",
	"unavailable_here", "method_not_allowed", "idempotency_in_progress"}

var (
	madeErrors = regexp.MustCompile(`Errorf\((?:mailbox\.)?([A-Z]\w+), "(\w+)"`)
	madeCodes  = regexp.MustCompile(`(?:Code: |code: |refusal\{[\w.]+, |^\t\t\{.*, )"([a-z]+(?:_[a-z]+)+)"`)
)

// Every code that the code has is in the table of codes, with the one status that it gets, wherever it is made.
func TestErrorCodesAreDescribed(t *testing.T) {
	known, err := readPart("errors.json")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]mailbox.Kind{"Invalid": mailbox.Invalid, "Denied": mailbox.Denied, "NotFound": mailbox.NotFound,
		"Conflict": mailbox.Conflict,
		"TooLarge": mailbox.TooLarge, "Limited": mailbox.Limited, "Unimplemented": mailbox.Unimplemented,
		"Unavailable": mailbox.Unavailable,
		"DiskFull":    mailbox.DiskFull, "QuotaFull": mailbox.QuotaFull,
		"NoRoom": mailbox.NoRoom, "TooManyHops": mailbox.TooManyHops}
	found := 0
	for _, source := range sources(t, "../service", "../mailbox", "../wire/draft", ".") {
		for _, m := range madeErrors.FindAllStringSubmatch(source, -1) {
			kind, code := m[1], m[2]
			if slices.Contains(elsewhere, code) || strings.HasPrefix(code, "invalid_") {
				continue
			}
			found++
			status := fmt.Sprint(at(known, code)["status"])
			if want, ok := kinds[kind]; ok && status != strconv.Itoa(replies[want].status) {
				t.Errorf("errors.json has %q with status %s, and it is made as %s", code, status, kind)
			}
		}
		for _, m := range madeCodes.FindAllStringSubmatch(source, -1) {
			found++
			if code := m[1]; at(known, code) == nil && !strings.HasPrefix(code, "invalid_") &&
				!slices.Contains(elsewhere, code) {
				t.Errorf("errors.json lacks %q", code)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d codes were found in the source", found)
	}
	for _, code := range slices.Sorted(maps.Keys(known)) {
		e := at(known, code)
		if word(e, "when") == "" || word(e, "schema") == "" && word(e, "says") == "" {
			t.Errorf("%s does not say when, or what", code)
		}
	}
}

func sources(t *testing.T, folders ...string) (all []string) {
	t.Helper()
	for _, folder := range folders {
		names, err := fs.Glob(os.DirFS(folder), "*.go")
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(folder + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	return all
}

// An error answer has what its status needs.
func TestErrorAnswers(t *testing.T) {
	_, doc := described(t)
	for name, value := range at(doc, "components", "responses") {
		status, err := strconv.Atoi(strings.TrimPrefix(name, "Error")[:3])
		headers := at(value.(node), "headers")
		if err != nil || headers["X-Request-Id"] == nil || status == 401 != (headers["WWW-Authenticate"] != nil) ||
			(status == 429 || status == 503) != (headers["Retry-After"] != nil) {
			t.Errorf("%s has %v", name, slices.Sorted(maps.Keys(headers)))
		}
	}
}
