// Package archtest keeps the arrows between packages right. It holds tests only.
//
// The rules are two tables in rules_test.go, each row with its reason: which packages of ours a package may import, and
// which things may be used only in named places. A new arrow is a change of the table, with a record in docs/decisions.
//
// The test parses the files itself instead of asking the go command, whose answer inside a test may be a cached one.
package archtest
