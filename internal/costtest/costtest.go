// Package costtest is for tests: it measures what reading hostile input costs, as instructions and bytes of memory for
// each byte of it.
//
// Instructions are counted by the processor, where the machine lets a program do that; else they are estimated from the
// time that the thread was running, which other programs do not change much. The bounds leave room for both: what is
// linear stays below a fifth of them, and what is not goes far beyond with the lengths that mail may have.
package costtest

import (
	"fmt"
	"runtime"
	"strings"
)

// The bounds, for each byte of input.
const (
	MaxInstructions = 3000
	MaxMemory       = 200 // bytes that are allocated, all in all
)

// perNanosecond is how many instructions a thread may run in that time, roughly.
const perNanosecond = 3

// tries is how often something is measured; the least counts.
const tries = 3

// Excess says how much reading a given number of bytes costs where that is too much for each of them, else nothing.
func Excess(size int, read func()) string {
	var instructions, memory float64
	for i := range tries {
		n, bytes := measure(read)
		n, bytes = n/float64(size)/slow, bytes/float64(size)/slow
		if i == 0 {
			instructions, memory = n, bytes
		}
		instructions, memory = min(instructions, n), min(memory, bytes)
		if instructions <= MaxInstructions && memory <= MaxMemory {
			return ""
		}
	}
	return fmt.Sprintf("%.0f instructions and %.1f bytes of memory for each of %d bytes; at most %d and %d",
		instructions, memory, size, MaxInstructions, MaxMemory)
}

// measure runs something once.
func measure(read func()) (instructions, memory float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	stop := counter()
	read()
	instructions = stop()
	runtime.ReadMemStats(&after)
	return instructions, float64(after.TotalAlloc - before.TotalAlloc)
}

// Long makes an input of that size, in which unit is repeated between two ends.
func Long(before, unit, after string, size int) string {
	if unit == "" {
		return before + after
	}
	return before + strings.Repeat(unit, max((size-len(before)-len(after))/len(unit), 1)) + after
}

// Units are what is repeated in headers: what opens and is never closed, what ends another thing than it seems, what is
// decoded.
var Units = []string{
	"(", ")", "()", "(()", "((a)", `(\`, "(\"", "a(", " (", ";(", "(,", "((((((((a)))", "(a),", "( ,<",
	`"`, `\`, `\"`, `"\"`, `"\`, `a"b`, `" "`, `"<", `, `"a"<`, `;a="\"`, `a="x;`, `";`, `=";`, `"," `, `<"\"`,
	"<", ">", "<>", "<a", "<a>", "<a@b>", "<a@b> ", "<@", "<@a,", "a@b,", "a@b ", "@", ",", ",,a", ":", "a:", "a:;",
	";", "mailto:", "<<a>", "a<b", "a, <", "a,\"<\",",
	"=", "a=", "a=b ", "a=b; ", ";a=b", "=b", "a =", ";a*0=b", ";a*=b", ";a*0*=''%", "%", "%41", ";filename*1*=%C3%A4",
	";charset=a", "'", "*",
	"=?", "?=", "=?a", "=?a?q?", "=?a?b?", "=?a?q?x", "=?utf-8?q?a?= ", "=?utf-8?b?YQ==?= ", "=?x1?q?a?= =?x2?q?b?= ",
	"=?utf-8?q?=3D?=3D", "=?utf-8?q?a?=3", "=?=", "=?u?q?=?=",
	"=?iso-2022-jp?b?GyRC?= ", "=?gb18030?q?=81?= ", "=?utf-7?q?+AOQ-?= ", "=?a*b?q?c?=", "=?unknown?q?=ff?= ",
	" ", "\t", "a ", " a", "\r\n ", "\r\n a", "\r\n\t;", "a\r\n (", "  =", " a=b",
	"1", "1:", "-", "1-", "+0000 ", "Mon, ", "Nov ", "2026-", ":00",
	"<a@b>,", "<1@a> ", "a@", ".", "a.", "\xff", "\xc3\xa4", "é", "\x00", "\x1b$B", "a",
}
