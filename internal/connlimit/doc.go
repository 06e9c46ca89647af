// Package connlimit bounds the connections of HTTP servers: all together, so that descriptors are left for mail, and
// those of each client, which is an IPv4 address or an IPv6 /64.
//
// Listen wraps a listener, State is for http.Server.ConnState, Handler wraps what answers. A new connection above a
// bound takes the place of the one that has been idle for longest: a kept-alive one, or one that has not asked anything
// yet. Where none is idle the new one is refused: with 503 and JSON if the listener is plain HTTP, without a word under
// TLS.
//
// Programs on this machine and trusted proxies count for the first bound only. A request through a proxy counts for the
// client that the proxy names while it is being answered, as a connection of that client would.
package connlimit
