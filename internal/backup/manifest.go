package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// manifest is what a backup says of itself. It is the last thing that is written, so a backup that has one is whole.
type manifest struct {
	made     time.Time
	by       string // version of the program
	tables   int    // number of their last migration
	messages int64
	kept     int64 // of these, without those of mailboxes that are being deleted; not written
	blobs    int
	database digest
	lost     []string // keys of blobs that were not to be had
}

// digest is the length and the SHA-256 of a file.
type digest struct {
	size int64
	sum  [sha256.Size]byte
}

const (
	manifestHead = "mailkin backup 1"
	manifestEnd  = "complete"
	manifestMost = 64 << 20 // of one in which a million messages are lost
)

func (m manifest) bytes() []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, manifestHead)
	fmt.Fprintf(&b, "made %s\nby %s\ntables %d\nmessages %d\nblobs %d\n", m.made.Format(time.RFC3339), m.by, m.tables,
		m.messages, m.blobs)
	fmt.Fprintf(&b, "database %d %x\n", m.database.size, m.database.sum)
	for _, key := range m.lost {
		fmt.Fprintf(&b, "lost %s\n", key)
	}
	fmt.Fprintln(&b, manifestEnd)
	return b.Bytes()
}

var errManifest = errors.New("it is not a backup of this kind, or it is not whole")

// readManifest reads what bytes has written.
func readManifest(r io.Reader) (m manifest, err error) {
	lines := bufio.NewScanner(io.LimitReader(r, manifestMost))
	if !lines.Scan() || lines.Text() != manifestHead {
		return m, errManifest
	}
	for lines.Scan() {
		if lines.Text() == manifestEnd {
			if m.tables == 0 || m.database.size == 0 {
				return m, errManifest
			}
			return m, nil
		}
		key, value, _ := strings.Cut(lines.Text(), " ")
		if err := m.set(key, value); err != nil {
			return m, fmt.Errorf("%w: %s: %w", errManifest, key, err)
		}
	}
	return m, errManifest
}

func (m *manifest) set(key, value string) (err error) {
	switch key {
	case "made":
		m.made, err = time.Parse(time.RFC3339, value)
	case "by":
		m.by = value
	case "tables":
		m.tables, err = strconv.Atoi(value)
	case "messages":
		m.messages, err = strconv.ParseInt(value, 10, 64)
	case "blobs":
		m.blobs, err = strconv.Atoi(value)
	case "database":
		m.database, err = parseDigest(value)
	case "lost":
		m.lost = append(m.lost, value)
	}
	return err // a line that is not known is a newer version's, and no harm
}

func parseDigest(s string) (d digest, err error) {
	size, sum, _ := strings.Cut(s, " ")
	if d.size, err = strconv.ParseInt(size, 10, 64); err != nil {
		return d, err
	}
	b, err := hex.DecodeString(sum)
	if err == nil && copy(d.sum[:], b) != len(d.sum) {
		err = errors.New("too short")
	}
	return d, err
}

// hashFile returns the digest of a file.
func hashFile(path string) (d digest, err error) {
	f, err := os.Open(path)
	if err != nil {
		return d, err
	}
	defer f.Close()
	h := sha256.New()
	if d.size, err = io.Copy(h, f); err != nil {
		return d, err
	}
	h.Sum(d.sum[:0])
	return d, nil
}
