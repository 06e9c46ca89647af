package code

import (
	"sync"

	"github.com/mailkin/mailkin/internal/view"
)

// docs are the documents that were read.
var docs sync.Map

// seen reads HTML, nil where there is none.
func seen(html string) *view.View {
	if html == "" {
		return nil
	}
	v := view.ReadString(html)
	docs.Store(v, html)
	return v
}

// pageOf is the document that was read.
func pageOf(v *view.View) string {
	html, _ := docs.Load(v)
	s, _ := html.(string)
	return s
}
