// Package proxyproto lets a server behind a load balancer know its clients: it reads the PROXY protocol, versions 1 and
// 2, as HAProxy describes it, in front of whatever is spoken on the connection.
//
// Listen wraps a listener. What a connection is taken for depends on where it comes from, and on nothing that it says:
//
//   - From a trusted network it must begin with a header, within five seconds. Then the client is whom the header
//     names. Without one it is closed: a balancer that forgets its header would otherwise pass off everybody as itself.
//   - From anywhere else it is taken as it is. A header there is what a client makes up, and the server behind sees it
//     as the nonsense that it is in its own protocol.
//
// A header that names nobody (UNKNOWN, LOCAL, a Unix socket), or an address that no client has as seen from here
// (loopback of another machine, the unspecified address, multicast), leaves the balancer itself as the client, or
// 0.0.0.0 where the balancer is on this machine: nobody becomes a program on this machine, which limits do not hold
// for, by way of another.
//
// Accept returns connections whose header has been read, so RemoteAddr never waits, and it never waits for a connection
// that is slow to send one: each is read by a goroutine of its own, of which there are at most as many as Pending says.
// Close ends them and waits for them.
//
// Everything is bounded: 107 bytes for version 1, 16 bytes and 4 KB of addresses and TLVs for version 2. TLVs are
// skipped.
package proxyproto
