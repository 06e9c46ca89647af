package proxyproto

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

const (
	maxLine = 107     // of version 1, with CR LF
	fixed   = 16      // of version 2, before the addresses
	maxBody = 4 << 10 // of version 2, addresses and TLVs
)

// What a header begins with.
var (
	lineStart = []byte("PROXY ")
	signature = []byte("\r\n\r\n\x00\r\nQUIT\n")
)

var (
	errMore     = errors.New("the header is not complete")
	errNone     = errors.New("it does not begin with a PROXY header")
	errBad      = errors.New("the PROXY header is malformed")
	errTooLarge = errors.New("the PROXY header is too large")
)

// parse reads a header at the beginning of b: the client that it names, or the zero AddrPort where it names none, and
// its length. errMore means that b is a good beginning.
func parse(b []byte) (client netip.AddrPort, size int, err error) {
	switch {
	case begins(b, lineStart):
		return parseLine(b)
	case begins(b, signature):
		return parseBinary(b)
	}
	return client, 0, errNone
}

// begins tells whether b can be the beginning of something that starts so.
func begins(b, start []byte) bool {
	n := min(len(b), len(start))
	return bytes.Equal(b[:n], start[:n])
}

// parseLine reads version 1: PROXY TCP4 192.0.2.1 198.51.100.1 56324 25 CR LF.
func parseLine(b []byte) (client netip.AddrPort, size int, err error) {
	within := b[:min(len(b), maxLine)]
	end := bytes.IndexByte(within, '\n')
	switch {
	case end < 0 && len(b) >= maxLine:
		return client, 0, errTooLarge
	case end < 0:
		return client, 0, errMore
	case b[end-1] != '\r': // there are six bytes before it at least
		return client, 0, errBad
	}
	fields := strings.Split(string(b[len(lineStart):end-1]), " ")
	if fields[0] == "UNKNOWN" { // whatever comes after it
		return client, end + 1, nil
	}
	client, err = parseFields(fields)
	return client, end + 1, err
}

func parseFields(fields []string) (netip.AddrPort, error) {
	if len(fields) != 5 {
		return netip.AddrPort{}, errBad
	}
	from, ok := parseAddr(fields[0], fields[1], fields[3])
	_, ok2 := parseAddr(fields[0], fields[2], fields[4])
	if !ok || !ok2 {
		return netip.AddrPort{}, errBad
	}
	return from, nil
}

func parseAddr(family, addr, port string) (netip.AddrPort, bool) {
	a, err := netip.ParseAddr(addr)
	n, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || a.Zone() != "" || strconv.FormatUint(n, 10) != port {
		return netip.AddrPort{}, false
	}
	if family != "TCP4" && family != "TCP6" || a.Is4() != (family == "TCP4") {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), true
}

// The bytes of version 2 after the signature.
const (
	local  = 0x20 // version 2, the proxy speaks for itself
	proxy  = 0x21 // version 2, for a client
	unspec = 0x00
	tcp4   = 0x11
	tcp6   = 0x21
	unix   = 0x31
)

// parseBinary reads version 2.
func parseBinary(b []byte) (client netip.AddrPort, size int, err error) {
	if len(b) > len(signature) && b[12] != local && b[12] != proxy {
		return client, 0, errBad
	}
	if len(b) < fixed {
		return client, 0, errMore
	}
	n := int(binary.BigEndian.Uint16(b[14:]))
	addrs, known := map[byte]int{unspec: 0, tcp4: 12, tcp6: 36, unix: 216}[b[13]]
	switch {
	case n > maxBody:
		return client, 0, errTooLarge
	case b[12] == proxy && (!known || n < addrs):
		return client, 0, errBad
	case len(b) < fixed+n:
		return client, 0, errMore
	}
	if b[12] == proxy {
		client = binaryAddr(b[13], b[fixed:fixed+n])
	}
	return client, fixed + n, nil
}

// binaryAddr takes the source out of the addresses, which are long enough: source, destination, and their ports.
func binaryAddr(family byte, body []byte) netip.AddrPort {
	switch family {
	case tcp4:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(body)), binary.BigEndian.Uint16(body[8:]))
	case tcp6:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(body)).Unmap(), binary.BigEndian.Uint16(body[32:]))
	}
	return netip.AddrPort{}
}
