// Package console serves the pages on which a person sees and steers what the agents do.
//
// The pages are files (folder web): one document, one style sheet, plain ES modules with Lit, and nothing that has to
// be built. They talk to /v1 like any client, with a key that the tab keeps. This package hands the files out and knows
// nothing of mail: what a key may do is decided where it always is.
//
// Every file but the documents is served under a digest of all files, so that browsers keep it for good and a new
// version is a new address. Every document has a policy (policy.go) that lets it load nothing from elsewhere and run no
// script but ours. Mail that is HTML is shown in a frame of a frame: the outer one is an empty document of ours whose
// policy allows styles and nothing else, the inner one is sandboxed, has no origin and runs no script. A document of
// ours stands between a link of a mail and where it leads (leave.html).
//
// One thing is more than a file: a start can print a link that signs a person in once (signin.go).
package console
