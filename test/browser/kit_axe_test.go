package browser

import (
	"os"
	"strconv"
	"sync"
)

// axeSource is axe-core, which "make setup" brings.
var axeSource = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile("../../bin/axe/node_modules/axe-core/axe.min.js")
})

// axe returns what axe-core finds serious or critical on the page. Mail in its frame is its sender's. Contrast, which
// takes it longest, is looked at by the inspection of ours, and by axe-core too where somebody keeps pictures.
func (w *tab) axe() []string {
	w.t.Helper()
	source, err := axeSource()
	if err != nil {
		if os.Getenv("CI") != "" {
			w.t.Fatal(err)
		}
		return nil
	}
	if !eval[bool](w, `"axe" in window`) {
		eval[bool](w, string(source)+"; true")
	}
	contrast := os.Getenv("MAILKIN_TEST_SCREENSHOTS") != ""
	return eval[[]string](w, `axe.run(document, { iframes: false, resultTypes: ["violations"],
		rules: { "color-contrast": { enabled: `+strconv.FormatBool(contrast)+` } } }).then((r) => r.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.flatMap((v) => v.nodes.slice(0, 4).map((n) => v.id + ": " + n.html.slice(0, 160) + " " + (n.any[0]?.message ?? n.all[0]?.message ?? "").slice(0, 200))))`)
}
