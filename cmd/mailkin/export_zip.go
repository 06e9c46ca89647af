package main

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

const (
	partBytes = 256 << 20 // of messages in a part: what is asked for again after a connection broke
	indexName = "index.jsonl"
)

// saveZip saves a zip. A zip has its directory at its end, so it cannot go on where it broke off: it is asked for in
// parts, which are put together when all are there.
func (x *exporter) saveZip(path string) error {
	folder := x.file + ".parts"
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return failure{err}
	}
	var parts []string
	err := x.again(func() (further bool, err error) {
		before := len(parts)
		parts, err = x.savePart(folder, parts)
		return len(parts) > before, err
	})
	if err == nil {
		err = x.joinZips(path, parts)
	}
	if err != nil {
		_ = os.Remove(folder) // if it is empty: there is nothing to go on from
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return failure{err}
	}
	return nil
}

// savePart saves part after part, without those that are there, until all are.
func (x *exporter) savePart(folder string, parts []string) ([]string, error) {
	after := ""
	if len(parts) > 0 {
		_, next, err := readIndex(parts[len(parts)-1], nil)
		if err != nil {
			return parts, failure{err}
		}
		after = next
	}
	for {
		name := partName(folder, len(parts)+1)
		if !isThere(name) {
			if err := x.fetchPart(name, after); err != nil {
				return parts, err
			}
		}
		_, next, err := readIndex(name, nil)
		if err != nil {
			return parts, failure{err}
		}
		if parts = append(parts, name); next == "" {
			return parts, nil
		}
		after = next
	}
}

// fetchPart saves one part. It has its name when it is there as a whole.
func (x *exporter) fetchPart(name, after string) error {
	f, err := os.OpenFile(name+".tmp", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return failure{err}
	}
	err = x.exportTo(f, client.ExportOptions{Format: "zip", After: after, MaxBytes: partBytes}, 0)
	if closed := f.Close(); err == nil && closed != nil {
		err = failure{closed}
	}
	if err != nil {
		_ = os.Remove(f.Name()) // why it is not whole matters more
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return failure{err}
	}
	return nil
}

// readIndex copies the lines of a part's index that are of messages, and says how many there are, and where it goes on.
func readIndex(name string, to io.Writer) (messages int, next string, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = z.Close() }() // only read from
	index, err := z.Open(indexName)
	if err != nil {
		return 0, "", err
	}
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line api.Exported
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return messages, "", err
		}
		if line.Next != "" {
			return messages, line.Next, nil
		}
		if messages++; to == nil {
			continue
		}
		if _, err := to.Write(append(lines.Bytes(), '\n')); err != nil {
			return messages, "", err
		}
	}
	return messages, "", lines.Err()
}

// joinZips makes one zip of several. Nothing is packed again but their indexes.
func (x *exporter) joinZips(path string, parts []string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return failure{err}
	}
	to := bufio.NewWriterSize(f, 1<<20)
	z := zip.NewWriter(to)
	index, err := z.Create(indexName)
	for _, name := range parts {
		if err == nil {
			var n int
			n, _, err = readIndex(name, index)
			x.messages += n
		}
	}
	for _, name := range parts {
		if err == nil {
			err = copyFiles(z, name)
		}
	}
	if err = errors.Join(err, z.Close(), to.Flush(), f.Close()); err != nil {
		return failure{err}
	}
	return nil
}

// copyFiles copies the messages of a part as they are packed.
func copyFiles(z *zip.Writer, name string) error {
	from, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // only read from
	for _, file := range from.File {
		if file.Name == indexName {
			continue
		}
		if err := z.Copy(file); err != nil {
			return err
		}
	}
	return nil
}
