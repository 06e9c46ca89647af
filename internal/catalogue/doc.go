// Package catalogue is the list of a mailbox's messages in memory, for an interface that counts and searches on every
// request: exact counters, pages by number, and search for any part of a word. The store stays the truth; whoever owns
// a List tells it what has changed.
//
// A message is a row, which can change, and a card with what never changes and is not in the row: people, files and
// the words that are searched. Those are a head, which is short, and a body, which a card may lack: whoever owns the
// list has bodies made while somebody searches for text. They have a budget: beyond it the oldest are dropped, and made
// again for each search that needs them.
package catalogue
