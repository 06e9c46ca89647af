// Package test tries Mailkin from outside: it starts the real binary on free ports and an empty data folder, sends it
// mail and asks its API as any client would, kills it, fills its disk and looks at its system calls.
//
// The kit is in the files kit_*_test.go: server is a running binary, session an SMTP or LMTP conversation, box a
// mailbox with its key. Every other file is one topic. A server that a test has started must end in good order and must
// not have logged an error, unless the test says that it expects one.
//
// The binary is the one that MAILKIN_TEST_BINARY names; without it the tests build one. Further variables:
// MAILKIN_CORPORA (a folder of real mail), MAILKIN_TEST_CRASHES (how many kills) or MAILKIN_TEST_CRASH (for how long,
// such as 10m), MAILKIN_TEST_SEED (repeats a crash test's choices).
package test
