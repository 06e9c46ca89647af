// Package browser drives the console in a real browser: Debian's Chromium, on the real binary.
//
// Every tab that a test opens is watched (kit_tab_test.go). An error in the browser's console, an exception, a dialog,
// a request to another host or a violation of the page's policy fails the test, unless the test has said that it
// expects it. What a person would look at is kept as pictures in the folder that MAILKIN_TEST_SCREENSHOTS names; the
// flag -update makes those of the manual again.
//
// MAILKIN_TEST_SCALE says how many messages an inbox is filled with that is then scrolled and measured; without it,
// none is.
//
// The browser also says what a person sees of a mail: the tables of internal/view/testdata are held against it, with
// -cross in full and as pictures, and with -agreement all HTML of the mail that MAILKIN_CORPORA names.
//
// One way through the console is followed in Firefox as well, where MAILKIN_TEST_FIREFOX names it ("make firefox").
//
// The binary is the one that MAILKIN_TEST_BINARY names; without it the tests build one. Without Chromium they are
// skipped, but not where CI is set.
package browser
