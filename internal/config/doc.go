// Package config is everything a deployment can set: one struct, read once, validated once.
//
// Each setting is one row of the table in table.go: its key, its default, one sentence of help, and where in Config its
// value goes. From the key follow the names: key http_addr in the file is variable MAILKIN_HTTP_ADDR and flag
// --http-addr. A flag wins over a variable, a variable over the file, the file over the default. The help, the manual
// page and the list of values in force are printed from the same table, so a new setting is one new row.
//
// Three variables have names without the prefix, because the interface specification gives them: AUTH_TOKEN,
// WEBHOOK_SECRET and DAILY_SEND_LIMIT. Secrets have no flag, because other users of the machine can read a command
// line; instead each has a second variable with _FILE at its end that names a file to read the secret from.
//
// Load reads nothing but what it is given and the files named there, so that tests need no environment of their own.
// It stops at the first thing that is wrong with one line that names the setting, where it came from and what is right.
// That includes names it does not know: a misspelt setting that is silently ignored is found out in production.
package config
