// Package pdf reads the text of a PDF document (ISO 32000), as lines that can be read.
//
// The document is hostile until it has been read. Its tables of contents (cross references, lengths) are not believed:
// objects are found by looking for them, which costs one pass and cannot be led in circles. Everything the document
// decides the size of is taken from a budget of memory; every loop asks for time; references, pages, forms and filters
// are followed to a fixed depth.
//
//	bytes ─► objects found (scan) ─► pages in order (page) ─► operators (content) ─► pieces of text with their place (show)
//	      ─► rows from top to bottom, pieces from left to right (layout)
//
// What a code of a string means is decided by its font (font): the font's own map to Unicode, else the names of its
// glyphs, else the encoding that fonts of its kind have.
//
// A row is everything on one base line: what is side by side on the page, a label and its amount, stands in
// one line of the text, with a tab where the gap is wide. Two columns of prose are told from that by the gutter that
// runs through a page, and are read one after the other.
//
// Documents that are encrypted with an empty password, which is how "no printing" is said, are read. What needs a
// password is not.
package pdf
