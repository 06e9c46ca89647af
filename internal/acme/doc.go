// Package acme has certificates from an authority that speaks ACME (RFC 8555), such as Let's Encrypt: it asks for them,
// proves that the names are ours, and renews them long before they end. The protocol is certmagic's; this package gives
// it a place for what must be kept, doors to be asked at, and a way to end.
//
// A Manager holds a certificate for each name. Run obtains what is missing and goes on until its context ends;
// meanwhile Certificate answers every handshake, with the fallback as long as there is nothing better: mail servers
// encrypt to any certificate, and one that is not ours to have yet must not keep mail away.
//
// The authority asks at one of two doors, both of them listeners of the app. At the HTTPS port it asks within the
// handshake (TLS-ALPN-01, RFC 8737): Certificate answers, and the server's protocols must include Protocol. At port 80
// it asks over plain HTTP (HTTP-01): Handler answers, and sends everybody else on to HTTPS.
//
// Storage is a folder, or for several nodes a table that they share (Shared, over a KV). Then one node asks for a
// certificate and all use it, and the authority may ask any of them. Values in a shared table are encrypted with a key
// made from the deployment's secret. Locks there are leases: those of a node that dies end by themselves.
package acme
