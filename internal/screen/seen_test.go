package screen

import "github.com/mailkin/mailkin/internal/view"

// seenHTML reads HTML, nil where there is none.
func seenHTML(html string) *view.View {
	if html == "" {
		return nil
	}
	return view.ReadString(html)
}
