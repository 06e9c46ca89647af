package segment

import (
	"encoding/binary"
	"hash/crc32"
)

// kind of a block. The numbers are stored.
type kind int

const (
	headBlock kind = iota
	indexBlock
	dictBlock
	docBlock
	postingBlock
	positionBlock
	kinds
)

const (
	kindShift = 24
	maxPlace  = 1<<kindShift - 1

	checksumSize = 4
	smallBlock   = 16<<10 - checksumSize // what is searched: index, dictionary, documents
	streamBlock  = 32<<10 - checksumSize // what is read in sequence: postings, positions
	maxPayload   = MaxBlock - checksumSize
)

// number is the block number of a kind's place-th block.
func (k kind) number(place int) int { return int(k)<<kindShift | place }

// capacity is the most bytes that a block of the kind holds.
func (k kind) capacity() int {
	switch k {
	case postingBlock, positionBlock:
		return streamBlock
	case headBlock:
		return maxPayload
	}
	return smallBlock
}

// checksum covers the bytes and where they belong.
func checksum(id ID, n int, payload []byte) uint32 {
	var place [24]byte
	binary.LittleEndian.PutUint64(place[:], uint64(id.Mailbox))
	binary.LittleEndian.PutUint64(place[8:], uint64(id.Segment))
	binary.LittleEndian.PutUint64(place[16:], uint64(n))
	table := crc32.MakeTable(crc32.Castagnoli) // one table for the process, not made again
	return crc32.Update(crc32.Checksum(payload, table), table, place[:])
}

// seal appends the checksum to a block.
func seal(id ID, n int, payload []byte) []byte {
	return binary.LittleEndian.AppendUint32(payload, checksum(id, n, payload))
}

// unseal checks a block and returns its payload.
func unseal(id ID, n int, block []byte) ([]byte, error) {
	if len(block) < checksumSize || len(block) > MaxBlock {
		return nil, corrupt("block %d has %d bytes", n, len(block))
	}
	payload := block[:len(block)-checksumSize]
	if checksum(id, n, payload) != binary.LittleEndian.Uint32(block[len(payload):]) {
		return nil, corrupt("checksum of block %d", n)
	}
	return payload[:len(payload):len(payload)], nil
}
