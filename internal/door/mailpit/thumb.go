package mailpit

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif" // what can be read
	"image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	thumbWidth, thumbHeight = 180, 120
	thumbQuality            = 70
	thumbPixels             = 20_000_000 // of a picture that is read: hostile ones say that they are huge
	thumbBytes              = 20 << 20
)

// thumb shows a small picture of an attachment, which is white where it is no picture.
func (e *edge) thumb(c *door.Call, in service.Access) error {
	file, err := e.file(c, in)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read from
	out := image.NewRGBA(image.Rect(0, 0, thumbWidth, thumbHeight))
	for i := range out.Pix {
		out.Pix[i] = 0xff
	}
	if strings.HasPrefix(file.Part.ContentType, "image/") && file.Part.Size <= thumbBytes {
		select {
		case e.thumbs <- struct{}{}: // one at a time: a large one takes 80 MB
		case <-c.Context().Done():
			return c.Context().Err()
		}
		if src := picture(file); src != nil {
			shrink(out, src)
		}
		<-e.thumbs
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: thumbQuality}); err != nil {
		return err
	}
	return c.Bytes(http.StatusOK, "image/jpeg", b.Bytes())
}

// picture reads one of a bearable size; nil: it is none.
func picture(file io.Reader) image.Image {
	data, err := io.ReadAll(io.LimitReader(file, thumbBytes))
	if err != nil {
		return nil
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width > thumbPixels/size.Height {
		return nil
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return img
}

// shrink draws a picture on another, in its middle: one that is smaller as it is, one that is larger so that it covers
// all of it.
func shrink(dst *image.RGBA, src image.Image) {
	from := src.Bounds()
	scale := max(float64(thumbWidth)/float64(from.Dx()), float64(thumbHeight)/float64(from.Dy()))
	if from.Dx() < thumbWidth || from.Dy() < thumbHeight {
		scale = min(1, float64(thumbWidth)/float64(from.Dx()), float64(thumbHeight)/float64(from.Dy()))
	}
	left := (thumbWidth - scale*float64(from.Dx())) / 2
	top := (thumbHeight - scale*float64(from.Dy())) / 2
	for y := range thumbHeight {
		for x := range thumbWidth {
			x0, y0 := (float64(x)-left)/scale, (float64(y)-top)/scale
			if x0 < 0 || y0 < 0 || x0 >= float64(from.Dx()) || y0 >= float64(from.Dy()) {
				continue
			}
			dst.SetRGBA(x, y, average(src, x0, y0, 1/scale))
		}
	}
}

// average is the colour of a square of a picture before a white ground, from up to 16 points of it.
func average(src image.Image, x0, y0, side float64) color.RGBA {
	const most = 4
	b := src.Bounds()
	n := min(most, max(1, int(side)))
	var red, green, blue, points uint32
	for j := range n {
		for i := range n {
			x := min(b.Max.X-1, b.Min.X+int(x0+side*float64(i)/float64(n)))
			y := min(b.Max.Y-1, b.Min.Y+int(y0+side*float64(j)/float64(n)))
			r, g, bl, a := src.At(x, y).RGBA()
			red, green, blue = red+(r+0xffff-a)>>8, green+(g+0xffff-a)>>8, blue+(bl+0xffff-a)>>8
			points++
		}
	}
	return color.RGBA{uint8(red / points), uint8(green / points), uint8(blue / points), 0xff}
}
