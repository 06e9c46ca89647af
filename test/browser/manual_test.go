package browser

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "make the pictures of the manual again")

const manual = "../../docs/console.md"

// The pictures of the manual are those that it shows, and they are small. With -update they are made.
func TestManualPictures(t *testing.T) {
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`\]\((console/[a-z-]+\.png)\)`).FindAllStringSubmatch(string(text), -1) {
		shown = append(shown, m[1])
	}
	if len(shown) < 6 {
		t.Fatalf("the manual has %d pictures", len(shown))
	}
	if *update {
		takePictures(t)
	}
	var kept []string
	files, _ := filepath.Glob("../../docs/console/*.png")
	for _, f := range files {
		kept = append(kept, "console/"+filepath.Base(f))
		if info, err := os.Stat(f); err != nil || info.Size() > 120_000 {
			t.Errorf("%s: %v, or larger than 120 KB", f, err)
		}
	}
	slices.Sort(shown)
	slices.Sort(kept)
	if !slices.Equal(shown, kept) {
		t.Errorf("the manual shows %q, and there are %q", shown, kept)
	}
}

func takePictures(t *testing.T) {
	w := settle(t)
	tab := open(t, w.server)
	tab.size(1200, 720)
	tab.scheme("light")
	tab.signIn(w.token)
	take := func(name string) {
		if err := os.MkdirAll("../../docs/console", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../../docs/console/"+name+".png", smaller(t, tab.screenshot()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	visit := func(hash, reads string) {
		tab.goTo(hash)
		tab.until(`document.querySelector("main h1") && !document.querySelector("main .state .spinner")`)
		tab.reads(reads)
	}
	tab.until(`document.querySelectorAll(".boxrow").length === 3 && !document.querySelector("main").innerText.includes("…")`)
	take("mailboxes")
	tab.press("wren@mailkin.localhost")
	tab.reads("Your sign-in code")
	visit("#/inbox/"+w.ids["code"], "Reply all")
	take("message")
	visit("#/search?q=pontoon&mode=hybrid", "pontoon")
	take("search")
	visit("#/threads", "The crossing")
	tab.run(`[...document.querySelectorAll(".mailrow a")].find((a) => a.innerText.includes("The crossing")).click()`)
	tab.reads("2 quoted lines")
	tab.keys("r")
	tab.until(`document.activeElement.matches("mk-compose textarea")`)
	take("conversation")
	w.call(w.token, "PATCH", "mailboxes/wren%40mailkin.localhost", map[string]any{"send_policy": "review_all"})
	w.wren.do("POST", "reply", map[string]any{"email_id": w.ids["answer"],
		"text": "We are there at six. Do we take the long ropes?"})
	visit("#/reviews", "Re: The crossing")
	tab.inRow("Re: The crossing", "Read")
	tab.reads("At six, at the pontoon.")
	take("review")
	visit("#/outbox", "Crew list")
	tab.run(`[...document.querySelectorAll(".mailrow a")].find((a) => a.innerText.includes("Crew list")).click()`)
	tab.press("Deliveries")
	tab.reads("simulated")
	take("deliveries")
	visit("#/webhooks", "What was posted")
	tab.run(`document.querySelector(".rows details summary").click()`)
	take("webhooks")
	tab.scheme("dark")
	visit("#/inbox/"+w.ids["newsletter"], "Load them")
	tab.until(`document.querySelector("mk-mailframe[shown]")`)
	take("html")
	visit("#/stats", "half within")
	tab.press("7 days")
	tab.until(`document.querySelectorAll("figure circle").length === 7`)
	take("statistics")
	tab.scheme("light")
	visit("#/overview", "In and out per hour")
	take("overview")
	order := w.wren.receive(mailFrom("Northwind <orders@northwind.example>", "Your order", "paid", htmlPart, orderMail))
	visit("#/inbox/"+order, "Northwind Trading")
	tab.press("Check")
	tab.until(`document.querySelector("mk-check mk-mailframe[shown]")`)
	take("check")
	tab.scheme("dark")
	tab.size(390, 720)
	visit("#/inbox", "Your sign-in code")
	take("phone")
}

// smaller writes a picture with the 256 colours that it has most of.
func smaller(t *testing.T, in []byte) []byte {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	counted := map[color.RGBA]int{}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counted[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
		}
	}
	colours := make([]color.RGBA, 0, len(counted))
	for c := range counted {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int { return cmp.Compare(counted[b], counted[a]) })
	var palette color.Palette
	like := map[[3]uint8]bool{} // one of those that look the same is enough
	for _, c := range colours {
		if kind := [3]uint8{c.R >> 3, c.G >> 3, c.B >> 3}; !like[kind] && len(palette) < 256 {
			like[kind] = true
			palette = append(palette, c)
		}
	}
	nearest := map[color.RGBA]uint8{}
	out := image.NewPaletted(b, palette)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
			at, known := nearest[c]
			if !known {
				at = uint8(palette.Index(c))
				nearest[c] = at
			}
			out.SetColorIndex(x, y, at)
		}
	}
	var packed bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&packed, out); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
