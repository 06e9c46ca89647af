package httpapi

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"time"
	"unsafe"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// zipWriter writes a zip archive as a stream (APPNOTE 6.3.3: local headers without sizes, then a descriptor; ZIP64 at
// the end). archive/zip keeps five times as much in memory for each file until the directory is written at the end.
type zipWriter struct {
	to      *bufio.Writer
	at      int64 // bytes written
	deflate *flate.Writer
	files   [][]zipRecord // in blocks, so that none is copied when there are more
	count   int
}

// zipRecord is what the directory says of a file.
type zipRecord struct {
	id                mailbox.ID // zero: the index
	offset            int64
	sum, packed, size uint32
	when              uint32 // as MS-DOS has it
}

const (
	zipRecordSize = int(unsafe.Sizeof(zipRecord{}))
	zipBlock      = 4096

	zipIndex   = "index.jsonl"
	zipFlags   = 1<<3 | 1<<11 // sizes come after the file; names are UTF-8
	zipDeflate = 8
	zipNeeds   = 20 // version 2.0
	zip64Needs = 45
	zipMode    = 0o100600 << 16
)

func newZipWriter(to *bufio.Writer) (*zipWriter, error) {
	deflate, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	return &zipWriter{to: to, deflate: deflate}, err
}

// zipName is the name of a message's file; of the index for the zero id.
func zipName(id mailbox.ID) string {
	if id.IsZero() {
		return zipIndex
	}
	return "mail/" + id.String() + ".eml"
}

// Write counts what is written. Its errors are those of a bufio.Writer, which stay: only the last one is looked at.
func (z *zipWriter) Write(p []byte) (int, error) {
	n, err := z.to.Write(p)
	z.at += int64(n)
	return n, err
}

// add adds a file. One that could not be read to its end is left out of the directory, so that nobody sees it.
func (z *zipWriter) add(r zipRecord, at time.Time, write func(io.Writer) error) error {
	name := zipName(r.id)
	r.offset, r.when = z.at, dosTime(at)
	head := binary.LittleEndian.AppendUint32(nil, 0x04034b50)
	head = appendShorts(head, zipNeeds, zipFlags, zipDeflate)
	head = appendLongs(head, r.when, 0, 0, 0)
	head = appendShorts(head, uint16(len(name)), 0)
	_, _ = z.Write(append(head, name...))
	began := z.at
	z.deflate.Reset(z)
	file := &zipFile{to: z.deflate}
	unread := write(file)
	if err := z.deflate.Close(); err != nil {
		return err
	}
	r.sum, r.packed, r.size = file.sum, uint32(z.at-began), uint32(file.size)
	_, err := z.Write(appendLongs(nil, 0x08074b50, r.sum, r.packed, r.size))
	if unread != nil || err != nil {
		return firstOf(err, unread)
	}
	if z.count%zipBlock == 0 {
		z.files = append(z.files, make([]zipRecord, 0, zipBlock))
	}
	last := &z.files[len(z.files)-1]
	*last = append(*last, r)
	z.count++
	return nil
}

// firstOf is the error of the client, who is gone, or else that of the message.
func firstOf(client, message error) error {
	if client != nil {
		return client
	}
	return message
}

// zipFile counts a file on its way to be packed.
type zipFile struct {
	to   io.Writer
	sum  uint32
	size int64
}

func (f *zipFile) Write(p []byte) (int, error) {
	n, err := f.to.Write(p)
	f.sum = crc32.Update(f.sum, crc32.IEEETable, p[:n])
	f.size += int64(n)
	return n, err
}

// close writes the directory.
func (z *zipWriter) close() error {
	began := z.at
	for _, block := range z.files {
		for _, r := range block {
			_, _ = z.Write(directoryEntry(r))
		}
	}
	size := z.at - began
	var end []byte
	if z.count >= math.MaxUint16 || began >= math.MaxUint32 || size >= math.MaxUint32 {
		end = zip64End(z.count, size, began)
	}
	count := uint16(min(z.count, math.MaxUint16))
	end = binary.LittleEndian.AppendUint32(end, 0x06054b50)
	end = appendShorts(end, 0, 0, count, count)
	end = appendLongs(end, clip32(size), clip32(began))
	_, err := z.Write(appendShorts(end, 0))
	return err
}

func directoryEntry(r zipRecord) []byte {
	name, needs := zipName(r.id), uint16(zipNeeds)
	var extra []byte
	if r.offset >= math.MaxUint32 {
		needs = zip64Needs
		extra = binary.LittleEndian.AppendUint64(appendShorts(nil, 1, 8), uint64(r.offset))
	}
	b := binary.LittleEndian.AppendUint32(nil, 0x02014b50)
	b = appendShorts(b, 3<<8|needs, needs, zipFlags, zipDeflate)
	b = appendLongs(b, r.when, r.sum, r.packed, r.size)
	b = appendShorts(b, uint16(len(name)), uint16(len(extra)), 0, 0, 0)
	b = appendLongs(b, zipMode, clip32(r.offset))
	return append(append(b, name...), extra...)
}

// zip64End is what comes before the end where that has no room for the numbers.
func zip64End(count int, size, began int64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0x06064b50)
	b = binary.LittleEndian.AppendUint64(b, 44)
	b = appendShorts(b, 3<<8|zip64Needs, zip64Needs)
	b = appendLongs(b, 0, 0)
	for _, n := range []uint64{uint64(count), uint64(count), uint64(size), uint64(began)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = appendLongs(b, 0x07064b50, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(began+size))
	return appendLongs(b, 1)
}

func clip32(n int64) uint32 { return uint32(min(n, math.MaxUint32)) }

func appendShorts(b []byte, values ...uint16) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

func appendLongs(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// dosTime is a time of UTC: the date in the higher half, and the time to two seconds.
func dosTime(t time.Time) uint32 {
	t = t.UTC()
	date := max(t.Year()-1980, 0)<<9 | int(t.Month())<<5 | t.Day()
	return uint32(date)<<16 | uint32(t.Hour()<<11|t.Minute()<<5|t.Second()/2)
}
