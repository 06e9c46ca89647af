// Package segment is the full-text index of one mailbox: immutable segments that are built from a batch of mail, merged
// in levels, and read newest first. It is the same for every store, which only keeps bytes: blocks of at most 64 KB
// under (mailbox, segment, block number). The package does no I/O of its own, starts no goroutine and knows no clock.
//
// # Isolation
//
// A segment holds mail of one mailbox and a query is given the segments of one mailbox, so there is nothing of anybody
// else to filter out, and its cost does not depend on other mailboxes. As a second lock every block's checksum covers
// the mailbox, the segment and the block number: a block that came from elsewhere is ErrCorrupt, not an answer.
//
// # What is in a segment
//
// The number of a block is its kind in the high bits and its place among its kind in the low ones. So every kind is
// written as a stream of its own while a merge runs, and no table is needed to find a block.
//
//   - head (one block, number 0): counts, the first terms of the index blocks, the first documents of the document
//     blocks, and the unfinished last block of the other kinds while they fit in 32 KB. A segment of a few mails is
//     this one block.
//   - index: the first term of every dictionary block. A term costs one head, at most one index and one dictionary
//     block.
//   - dictionary: sorted terms, prefix-compressed, with a restart every 32 terms for binary search. An entry has the
//     number of documents and the lengths of the term's postings and positions; offsets are sums of lengths from the
//     last restart. Up to four postings are in the entry itself, which are most terms of any mailbox.
//   - documents: every document with the size of its fields, one logarithmic byte each, for relevance and for
//     "everything but".
//   - postings: for each term its documents, newest first, in chunks of 128: bit-packed distances, frequencies and
//     field masks. 64 chunks make a group that begins with a skip table; a list of several groups ends with a table of
//     them. So the newest fifty of a word in a million mails take one chunk, and a seek anywhere takes one table and
//     one chunk. A list of more than a thousand documents that is of nearly all of them is followed by the few that
//     lack the term, as runs: to exclude it is to walk those.
//   - positions: a stream of their own, so that only phrases read them; a document's positions need no other's to be
//     decoded, so a merge copies them as bytes.
//
// Postings name documents by Seq, the message's place in its mailbox, not by a number inside the segment. Seqs grow by
// about one per message, so the distances are as small, a merge has nothing to renumber, and a hit needs no
// translation.
//
// # Reading
//
// Documents are disjoint between segments, so a query is evaluated in each by itself and the streams of hits are merged
// by Seq. A segment whose newest document is older than what is being looked at has not been touched yet: the newest
// fifty of a common word never open the old ones. Conjunctions leapfrog over cheap candidates first; phrases look at
// positions only when all else agrees. The work of one call has a Budget; when it is spent Eval says where to go on.
//
// A query that only excludes is evaluated against all documents of the segment, from the document blocks.
//
// A message that is in two segments (the process died between writing an index and noting that) is one hit; a merge
// keeps the copy of the later segment.
//
// # Deleting
//
// Segments never change. Callers hide deleted messages from hits; Merge, also of a single segment, leaves out what its
// dropped function names, so that no word of it stays. Plan asks for a rewrite when a quarter of a segment is gone.
//
// # Bounds
//
// A Builder holds about 16 bytes per token and tells its Size. A merge holds at most 250 KB of blocks per source, and
// 16 bytes per run of dropped documents; what is written holds 2.5 MB at most of runs that lack a term. A query holds 2
// MB of blocks, the heads of the segments it has reached, and for each list that it walks 2 KB and its skip tables: 4
// KB, and 64 bytes for every 8,192 documents. Every decoder checks its bounds: bytes that do not decode are ErrCorrupt,
// never a panic.
//
// # What it costs
//
// A mail of 600 words takes 1.8 KB in a large segment, 5.7 KB in one of its own. In a batch of a thousand it is about
// 50 µs of work to build, and 15 to 20 µs for each power of eight that follows; alone it is 90 µs, and the first
// merges, in which hardly a term is met twice, are 40 to 100 µs each. So an indexer that has several mails of a mailbox
// writes them together.
package segment
