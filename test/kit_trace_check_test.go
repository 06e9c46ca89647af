package test

import (
	"fmt"
	"strings"
	"testing"
)

// What a log of strace looks like, line by line.
const (
	traceHead   = `7 pwrite64(9</d/m.db-wal>, "\0\0\0\4\0\0\0\0nope\207\0\17Z\250\241f s2\344\r", 24, 32) = 24`
	tracePage   = `7 pwrite64(9</d/m.db-wal>, "\r\0\0\0\3\17hello\0\"more", 2048, 56) = 2048`
	traceLast   = `7 pwrite64(9</d/m.db-wal>, "\0\0\0\5\0\0\0\33nope\207\0\17Z\250\241f s2\344\r", 24, 2104) = 24`
	traceEnd    = `7 pwrite64(9</d/m.db-wal>, "\r\0\0\0\1", 2048, 2128) = 2048`
	traceSync   = `7 fsync(9</d/m.db-wal>)         = 0`
	traceAnswer = `8 write(5<socket:[77]>, "250 2.0.0 Stored as x\r\n", 23) = 23`

	traceDraft  = `8 fdatasync(6</d/blobs/tmp/A>)  = 0`
	traceLink   = `8 linkat(AT_FDCWD</>, "/d/blobs/tmp/A", AT_FDCWD</>, "/d/blobs/02/2/id", 0) = 0`
	traceFolder = `8 fsync(6</d/blobs/02/2>)       = 0`
)

// traceWhole is a transaction of two pages in one write.
func traceWhole(first, second string, ends bool) string {
	page := func(text string) string { return text + strings.Repeat("x", logPage-len(text)) }
	end := `\0\0\0\33`
	if !ends {
		end = `\0\0\0\0`
	}
	return `7 pwrite64(9</d/m.db-wal>, "` + `\0\0\0\4\0\0\0\0nope123412345678` + page(first) +
		`\0\0\0\5` + end + `nope123412345678` + page(second) + `", 4144, 32) = 4144`
}

// The checker must be able to find what it is there to find.
func TestCheckSyncs(t *testing.T) {
	transaction := []string{traceHead, tracePage, traceLast, traceEnd}
	lines := func(parts ...any) (all []string) {
		for _, p := range parts {
			switch p := p.(type) {
			case string:
				all = append(all, p)
			case []string:
				all = append(all, p...)
			}
		}
		return all
	}
	for _, tt := range []struct {
		name string
		log  []string
		blob bool
		want string // part of the complaint; empty: none
	}{
		{"right", lines(transaction, traceSync, traceAnswer), false, ""},
		{"fdatasync is as good", lines(transaction, `7 fdatasync(9</d/m.db-wal>) = 0`, traceAnswer), false, ""},
		{"sync resumed in time", lines(transaction, `7 fsync(9</d/m.db-wal> <unfinished ...>`,
			`8 write(2</e>, "x", 1) = 1`, `7 <... fsync resumed>) = 0`, traceAnswer), false, ""},
		{"one write", lines(traceWhole("hello", "more", true), traceSync, traceAnswer), false, ""},
		{"one write, with the start of the log", lines(strings.Replace(traceWhole("hello", "more", true), `"`,
			`"`+strings.Repeat("s", 32), 1), traceSync, traceAnswer), false, ""},
		{"one write, no sync", lines(traceWhole("hello", "more", true), traceAnswer), false, "not synced between"},
		{"one write without an end", lines(traceWhole("hello", "more", false), traceSync, traceAnswer), false,
			"before the transaction"},
		{"one write of something else", lines(traceWhole("other", "more", true), traceSync, traceAnswer), false,
			"before the transaction"},
		{"the index writes the same and syncs nothing",
			lines(transaction, strings.Replace(traceWhole("hello", "more", true), "m.db", "index.db", 1), traceSync,
				traceAnswer), false, ""},
		{"only the index was written", lines(strings.Replace(traceWhole("hello", "more", true), "m.db", "index.db", 1),
			traceSync, traceAnswer), false, "before the transaction"},
		{"no sync", lines(transaction, traceAnswer), false, "not synced between"},
		{"sync after the answer", lines(transaction, traceAnswer, traceSync), false, "not synced between"},
		{"sync under way", lines(transaction, `7 fsync(9</d/m.db-wal> <unfinished ...>`, traceAnswer,
			`7 <... fsync resumed>) = 0`), false, "not synced between"},
		{"sync never returned", lines(transaction, `7 fsync(9</d/m.db-wal> <unfinished ...>`, traceAnswer), false,
			"not synced between"},
		{"sync failed", lines(transaction, `7 fsync(9</d/m.db-wal>) = -1 EIO (Input/output error)`, traceAnswer), false,
			"not synced between"},
		{"sync of another file", lines(transaction, `7 fsync(9</d/m.db>) = 0`, traceAnswer), false,
			"not synced between"},
		{"sync in the middle of the transaction", lines(traceHead, tracePage, traceSync, traceLast, traceEnd,
			traceAnswer), false, "not synced between"},
		{"answer before the transaction", lines(traceAnswer, transaction, traceSync), false, "before the transaction"},
		{"another transaction was synced", lines(traceLast, traceEnd, traceSync, traceAnswer, transaction, traceSync),
			false, "before the transaction"},
		{"no answer", lines(transaction, traceSync), false, "no answer"},

		{"blob right", lines(traceDraft, traceLink, traceFolder, transaction, traceSync, traceAnswer), true, ""},
		{"blob not linked", lines(traceDraft, transaction, traceSync, traceAnswer), true, "not in place"},
		{"link failed", lines(traceDraft, strings.Replace(traceLink, "= 0", "= -1 EEXIST (File exists)", 1),
			traceFolder, transaction, traceSync, traceAnswer), true, "not in place"},
		{"blob not synced", lines(traceLink, traceFolder, transaction, traceSync, traceAnswer), true,
			"bytes were not synced"},
		{"blob synced after its link", lines(traceLink, traceDraft, traceFolder, transaction, traceSync, traceAnswer),
			true, "bytes were not synced"},
		{"folder not synced", lines(traceDraft, traceLink, transaction, traceSync, traceAnswer), true,
			"folder was not synced"},
		{"folder synced too early", lines(traceDraft, traceFolder, traceLink, transaction, traceSync, traceAnswer),
			true, "folder was not synced"},
		{"folder synced too late", lines(traceDraft, traceLink, transaction, traceFolder, traceSync, traceAnswer), true,
			"folder was not synced"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log := "1 write(1</o>, \"Mailkin is running.\\n\", 20) = 20\n" + strings.Join(tt.log, "\n") + "\n"
			got := fmt.Sprint(checkSyncs(log, []promise{{what: "mail", marker: `hello`, answer: "250 2.0.0 Stored",
				blob: tt.blob}}))
			if tt.want == "" && got != "[]" || !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %q", got, tt.want)
			}
		})
	}
}

func TestTracedBytes(t *testing.T) {
	c := &traced{args: `9</f>, "a\0b\33\1775\"\\\r\n", 24`}
	if got, want := string(c.bytes()), "a\x00b\x1b\x7f5\"\\\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
