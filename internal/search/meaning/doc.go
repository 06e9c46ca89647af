// Package meaning finds mail by what it says rather than by its words: it turns a text into a vector, and looks for the
// vectors that point the same way.
//
// The built-in encoder needs no service. It is Universal Sentence Encoder Lite, a transformer of two layers for
// English, whose weights are in the binary as one byte each (table.bin; tools/encoder makes it, NOTICE says from what).
// The weights stay where the binary is mapped: an open encoder holds about 1 MB of its own, and one that is never asked
// for holds nothing. Encoder.Vector gives a text its vector as the original does; texts are cut after 128 tokens. A
// Remote asks an OpenAI-compatible endpoint instead. Both tell the name of their model, which is stored with the
// vectors, because those of different models cannot be compared.
//
// Mail and queries that are not English are read by a student of that encoder, too (student.go), which knows the words
// of twenty languages. It is read when a text first comes that may not be English. Its vectors and the English
// encoder's are compared across a bridge, so that English mail needs no second vector; far.go brings what both say to
// one scale.
//
// A Vector is the directions rounded to signed bytes, and the length of what they became, so that the cosine of two
// vectors is exact for what is stored.
//
// One vector says what a mail is about as a whole, and loses what it says here and there. Therefore the built-in
// encoder stores a Record of each mail: the vector, in which the beginning counts more than the rest, and up to sixteen
// Marks, of what single words say where they stand, as bare signs. A Finder compares a query with the vectors of all
// mail it is shown, and orders the nearest by that and by how well each word of the query fits the mark that is nearest
// to it. The words of a query in another language are compared with the marks of English mail across the same bridge.
//
// Most of the work is in products of signed bytes with small whole numbers, in one function (dots): vector instructions
// where the processor has AVX2, otherwise two products in each multiplication of a 64-bit word. Both give the same
// numbers to the bit. What is done to single numbers between them (floats.go, attention.go) has such instructions too;
// only in attention they add up in another order, which is a difference in the last digits.
//
// Passage and Lead say what of a mail is given to an encoder, and Says whether there is anything to read.
package meaning
