// Package lexicon holds the words of every language that mail is read by, and finds them in text.
//
// The words are data: words/LANG.txt is one language, words/shared.txt is what has none. A file has a section for each
// reader of mail ([code], [link], [label], [record], [reply], [report], [screen]), and a section has lists of phrases,
// each under the name of what it means to that reader. docs/languages.md tells how to add a language.
//
// A reader describes its section by a [Section]; [Section.Compile] makes a [Table] of it, which finds phrases in one
// pass over a text. Tables are made at the first use and never changed.
//
// A phrase stands for whole words. A star at its end lets the last word go on: "confirm*" is also found in
// "confirmation". A star at its start lets the first word begin earlier: "*koodi" is found in "kirjautumiskoodi".
// Phrases of scripts that write no spaces between words need no stars. Case, accents, widths and invisible characters
// do not matter (see [Fold]). Two signs before a phrase are for the section code alone: "=" matches capitals only, "^"
// does not match where the tilde of ã is missing.
package lexicon
