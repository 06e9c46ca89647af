package browser

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/mailkin/mailkin/internal/view/viewtest"
)

// otherPictures are cases whose picture is another than their text.
var otherPictures = map[string]string{
	"attribute-alt":                    "no pictures are loaded, so their alternative text is painted",
	"details-nested":                   "details are closed on a picture",
	"preheader-details":                "details are closed on a picture",
	"white-on-attribute-image":         "the background is not loaded",
	"white-on-attribute-image-bgcolor": "the background is not loaded",
	"white-on-image":                   "the background is not loaded",
}

// specks are as many pixels as may differ: letters of one pixel are specks that nobody can read.
const specks = 8

// Another hidden value makes no other picture, and another visible one does. This checks the tables without measuring
// boxes and colours.
func TestTablesInPictures(t *testing.T) {
	if !*cross {
		t.Skip("-cross compares pictures of every case")
	}
	r := newRenderer(t)
	code := viewtest.Kinds[0]
	other := viewtest.Value{Sentence: "Your verification code is 338494."}
	for _, c := range viewtest.Load(t, tables+"hidden") {
		if c.Kinds[0].Name != code.Name || c.Shown != "" || otherPictures[c.Name] != "" {
			continue
		}
		if n := differ(r.picture(c.Fill(code)), r.picture(c.FillWith(code.Real, other))); n > specks {
			t.Errorf("hidden/%s: the picture shows which value is hidden: %d pixels", c.Name, n)
		}
	}
	for _, c := range viewtest.Load(t, tables+"plain") {
		if c.Kinds[0].Name != code.Name || otherPictures[c.Name] != "" {
			continue
		}
		if differ(r.picture(c.Fill(code)), r.picture(c.FillWith(other, other))) <= specks {
			t.Errorf("plain/%s: the picture does not show the value", c.Name)
		}
	}
}

// picture is a mail body as pixels, down to its end.
func (r *renderer) picture(body string) image.Image {
	r.t.Helper()
	r.show(body)
	yes := true
	shot := ask(r, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: &yes})
	img, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		r.t.Fatal(err)
	}
	return img
}

// differ counts the pixels whose difference a person could see.
func differ(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return a.Bounds().Dx() * a.Bounds().Dy()
	}
	const visible = 16 << 8
	apart := func(x, y uint32) bool { return max(x, y)-min(x, y) > visible }
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if apart(r1, r2) || apart(g1, g2) || apart(b1, b2) {
				n++
			}
		}
	}
	return n
}
