// Package api has the types of the JSON that a Mailkin speaks at /v1: one for each answer, and for the requests that
// are more than a word or two. The service writes them and package client reads them; docs/api.md describes the routes.
//
// Each type marshals to what the service sends, so a program can hand an answer on. A value that is null in that JSON
// is the zero value here: see [Time], [NullString], [NullInt] and [Decimal]. Lists are never null.
package api
