package record

import "github.com/mailkin/mailkin/internal/view"

// seen reads HTML, nil where there is none.
func seen(html string) *view.View {
	if html == "" {
		return nil
	}
	return view.ReadString(html)
}
