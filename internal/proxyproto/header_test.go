package proxyproto

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// binaryHeader is a header of version 2.
func binaryHeader(command, family byte, body string) string {
	b := append(append([]byte{}, signature...), command, family)
	return string(binary.BigEndian.AppendUint16(b, uint16(len(body)))) + body
}

// Addresses of version 2: source, destination, ports 56324 and 25.
const (
	body4 = "\xc0\x00\x02\x01\xc6\x33\x64\x01\xdc\x04\x00\x19"
	body6 = "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" +
		"\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xdc\x04\x00\x19"
	mapped6 = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc6\x33\x64\x01\xdc\x04\x00\x19"
)

func TestParse(t *testing.T) {
	four, six := "192.0.2.1:56324", "[2001:db8::1]:56324"
	tlv := "\x04\x00\x03abc"
	for _, tt := range []struct {
		name, in string
		want     string // empty: nobody is named
		err      error
	}{
		{"v1 TCP4", "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n", four, nil},
		{"v1 TCP6", "PROXY TCP6 2001:db8::1 2001:db8::2 56324 25\r\n", six, nil},
		{"v1 TCP6 of an IPv4 client", "PROXY TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.1 56324 25\r\n", four, nil},
		{"v1 longest", "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff " +
			"65535 65535\r\n",
			"[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535", nil},
		{"v1 unknown", "PROXY UNKNOWN\r\n", "", nil},
		{"v1 unknown with more", "PROXY UNKNOWN ffff::1 whatever it is\r\n", "", nil},
		{"v1 unknown, longest", "PROXY UNKNOWN " + strings.Repeat("x", maxLine-16) + "\r\n", "", nil},
		{"v1 too long", "PROXY UNKNOWN " + strings.Repeat("x", maxLine-15) + "\r\n", "", errTooLarge},
		{"v1 endless", "PROXY " + strings.Repeat("x", 5000), "", errTooLarge},
		{"v1 bare LF", "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\n", "", errBad},
		{"v1 nothing in it", "PROXY \r\n", "", errBad},
		{"v1 LF only", "PROXY \n", "", errBad},
		{"v1 lower case", "proxy TCP4 192.0.2.1 198.51.100.1 56324 25\r\n", "", errNone},
		{"v1 other family", "PROXY UDP4 192.0.2.1 198.51.100.1 56324 25\r\n", "", errBad},
		{"v1 family and address differ", "PROXY TCP4 2001:db8::1 198.51.100.1 56324 25\r\n", "", errBad},
		{"v1 the other way round", "PROXY TCP6 192.0.2.1 2001:db8::2 56324 25\r\n", "", errBad},
		{"v1 leading zero in address", "PROXY TCP4 192.0.2.01 198.51.100.1 56324 25\r\n", "", errBad},
		{"v1 zone", "PROXY TCP6 fe80::1%eth0 2001:db8::2 56324 25\r\n", "", errBad},
		{"v1 leading zero in port", "PROXY TCP4 192.0.2.1 198.51.100.1 056324 25\r\n", "", errBad},
		{"v1 port out of range", "PROXY TCP4 192.0.2.1 198.51.100.1 65536 25\r\n", "", errBad},
		{"v1 signed port", "PROXY TCP4 192.0.2.1 198.51.100.1 +1 25\r\n", "", errBad},
		{"v1 bad destination", "PROXY TCP4 192.0.2.1 198.51.100.x 56324 25\r\n", "", errBad},
		{"v1 two spaces", "PROXY TCP4  192.0.2.1 198.51.100.1 56324 25\r\n", "", errBad},
		{"v1 one field too many", "PROXY TCP4 192.0.2.1 198.51.100.1 56324 25 x\r\n", "", errBad},
		{"v1 one too few", "PROXY TCP4 192.0.2.1 198.51.100.1 56324\r\n", "", errBad},

		{"v2 TCP4", binaryHeader(proxy, tcp4, body4), four, nil},
		{"v2 TCP4 with TLVs", binaryHeader(proxy, tcp4, body4+tlv), four, nil},
		{"v2 TCP6", binaryHeader(proxy, tcp6, body6), six, nil},
		{"v2 TCP6 of an IPv4 client", binaryHeader(proxy, tcp6, mapped6), four, nil},
		{"v2 largest", binaryHeader(proxy, tcp4, body4+strings.Repeat("x", maxBody-12)), four, nil},
		{"v2 too large", binaryHeader(proxy, tcp4, body4+strings.Repeat("x", maxBody-11)), "", errTooLarge},
		{"v2 Unix socket", binaryHeader(proxy, unix, strings.Repeat("x", 216)), "", nil},
		{"v2 unspecified", binaryHeader(proxy, unspec, ""), "", nil},
		{"v2 unspecified with TLVs", binaryHeader(proxy, unspec, tlv), "", nil},
		{"v2 local", binaryHeader(local, unspec, ""), "", nil},
		{"v2 local names nobody", binaryHeader(local, tcp4, body4), "", nil},
		{"v2 local of any family", binaryHeader(local, 0xff, "x"), "", nil},
		{"v2 other version", binaryHeader(0x11, tcp4, body4), "", errBad},
		{"v2 other command", binaryHeader(0x22, tcp4, body4), "", errBad},
		{"v2 datagrams", binaryHeader(proxy, 0x12, body4), "", errBad},
		{"v2 other family", binaryHeader(proxy, 0x41, body6), "", errBad},
		{"v2 addresses cut short", binaryHeader(proxy, tcp4, body4[:11]), "", errBad},
		{"v2 IPv6 cut short", binaryHeader(proxy, tcp6, body6[:35]), "", errBad},

		{"SMTP", "EHLO client.example\r\n", "", errNone},
		{"HTTP", "GET / HTTP/1.1\r\n\r\n", "", errNone},
		{"TLS", "\x16\x03\x01\x02\x00", "", errNone},
		{"empty lines", "\r\n\r\n\r\n", "", errNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const after = "EHLO behind\r\n"
			got, size, err := parse([]byte(tt.in + after))
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if tt.err != nil {
				return
			}
			if size != len(tt.in) {
				t.Errorf("size %d, want %d", size, len(tt.in))
			}
			want, _ := netip.ParseAddrPort(tt.want)
			if got != want {
				t.Errorf("client %v, want %v", got, want)
			}
		})
	}
}

// However the bytes are cut, what is said of a beginning holds for the whole.
func FuzzParse(f *testing.F) {
	f.Add([]byte("PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nEHLO x\r\n"))
	f.Add([]byte("PROXY TCP6 2001:db8::1 2001:db8::2 56324 25\r\n"))
	f.Add([]byte("PROXY UNKNOWN\r\n"))
	f.Add([]byte(binaryHeader(proxy, tcp4, body4+"\x04\x00\x03abc")))
	f.Add([]byte(binaryHeader(proxy, tcp6, body6)))
	f.Add([]byte(binaryHeader(local, unspec, "")))
	f.Add([]byte(binaryHeader(proxy, unix, strings.Repeat("x", 216))))
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, size, err := parse(in)
		if err == nil && (size <= 0 || size > len(in) || size > fixed+maxBody) {
			t.Fatalf("size %d of %d", size, len(in))
		}
		for n := range in {
			part, partSize, partErr := parse(in[:n])
			switch {
			case errors.Is(partErr, errMore):
				if err == nil && n >= size {
					t.Fatalf("%d bytes of a header of %d are too few", n, size)
				}
			case !errors.Is(partErr, err) || part != whole || partSize != size:
				t.Fatalf("%d bytes: %v %d %v; all: %v %d %v", n, part, partSize, partErr, whole, size, err)
			}
		}
		if whole.IsValid() && whole.Addr() != whole.Addr().Unmap() {
			t.Fatalf("client %v", whole)
		}
		if err == nil && !bytes.HasPrefix(in, lineStart) && !bytes.HasPrefix(in, signature) {
			t.Fatal("a header out of nothing")
		}
	})
}
