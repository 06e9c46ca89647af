package rfc822

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// stalwartRow is one field value and what it should give.
type stalwartRow[T any] struct {
	Header   string `json:"header"`
	Expected T      `json:"expected"`
}

func stalwartRows[T any](t *testing.T, file string) []stalwartRow[T] {
	t.Helper()
	path := filepath.Join(corpustest.Dir(t), "mime", "stalwart-mail-parser", "files", file)
	var rows []stalwartRow[T]
	if err := json.Unmarshal(readFile(t, path), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// fieldOf reads a value as it would stand in a message.
func fieldOf(name, value string) Header {
	return Parse([]byte(name+":"+value+"\n\n"), Limits{}).Header
}

// TestStalwartFields compares single fields. Many of them are broken on purpose, and what to make of those is a
// matter of taste (comments as part of names, mailto: as part of addresses), so the bar is low.
func TestStalwartFields(t *testing.T) {
	s := newScore(t)
	for _, row := range stalwartRows[stalwartAddresses](t, "address.json") {
		s.file = row.Header
		s.compare("address", row.Expected.lines(), addressLines(fieldOf("To", row.Header).addresses("To")))
	}
	for _, row := range stalwartRows[stalwartDate](t, "date.json") {
		s.file = row.Header
		got := parseDate(fieldOf("Date", row.Header).Raw("Date"))
		s.compare("date", row.Expected.String(), got.UTC().Format(time.RFC3339))
	}
	for _, row := range stalwartRows[[]string](t, "id.json") {
		s.file = row.Header
		s.compare("id", row.Expected, messageIDs(fieldOf("References", row.Header).Raw("References")))
	}
	for _, row := range stalwartRows[string](t, "unstructured.json") {
		s.file = row.Header
		s.compare("text", words(row.Expected), words(fieldOf("Subject", row.Header).First("Subject")))
	}
	type contentType struct {
		Type       string      `json:"c_type"`
		Subtype    *string     `json:"c_subtype"`
		Attributes [][2]string `json:"attributes"`
	}
	for _, row := range stalwartRows[*contentType](t, "content_type.json") {
		if row.Expected == nil || row.Expected.Subtype == nil {
			continue
		}
		s.file = row.Header
		ct, _ := fieldOf("Content-Type", row.Header).contentType("text/plain")
		s.compare("type", row.Expected.Type+"/"+*row.Expected.Subtype, ct.value)
		for _, a := range row.Expected.Attributes {
			s.compare("parameter", a[1], ct.param(a[0]))
		}
	}
	s.report(75)
}
