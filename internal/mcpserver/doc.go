// Package mcpserver gives a model the mailbox as tools, over the Model Context Protocol.
//
// There is one set of tools (tools.go has the table; each group has a file), built on the public client and on nothing
// else. New makes a server of them for a Source, which says with whose key a call is made. Two sources exist: Keeper,
// for a program on somebody's machine that speaks over its standard input and output and makes a temporary mailbox when
// it has none; and the one behind Handler, for /mcp of a deployment, where every call is made with the key of the
// request, through the deployment's own HTTP interface in the same process (local.go). So what a tool may do, how
// often, and with which error it fails, is what /v1 says.
//
// What the tools give back is for a reader that believes what it reads and has little room:
//
//   - Mail text is inside a fence (fence.go) whose marker is drawn after the text is known, and is not in it. Beside it
//     stand how far the sender can be believed and what the screening found.
//   - Every result has a budget. What does not fit is left out, and the result says which call gives the rest
//     (budget.go).
//   - A failure is a sentence that says what to do next (errors.go).
package mcpserver
