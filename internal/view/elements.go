package view

import "golang.org/x/net/html/atom"

// breaks says how many line ends an element brings before and after it: 2 leave an empty line, 0 is an element within a
// line.
func breaks(tag atom.Atom) int {
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre, atom.Ul, atom.Ol,
		atom.Dl, atom.Hr, atom.Article, atom.Section, atom.Fieldset, atom.Figure, atom.Xmp, atom.Listing:
		return 2
	case atom.Div, atom.Tr, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Li, atom.Dt, atom.Dd, atom.Center,
		atom.Address, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Form, atom.Body, atom.Html,
		atom.Caption, atom.Figcaption, atom.Legend, atom.Details, atom.Summary, atom.Dir, atom.Menu, atom.Option,
		atom.Optgroup, atom.Marquee, atom.Hgroup, atom.Dialog, atom.Search:
		return 1
	}
	return 0
}

// isUnseen is an element whose content no mail program shows.
func isUnseen(tag atom.Atom) bool {
	switch tag {
	case atom.Template, atom.Datalist, atom.Object, atom.Applet, atom.Audio, atom.Video, atom.Canvas, atom.Rp,
		atom.Frameset,
		atom.Desc, atom.Annotation, atom.AnnotationXml, atom.Meter, atom.Progress, atom.Svg:
		return true
	}
	return false
}

// isRaw is an element whose content is no markup. None of them is shown, but for xmp.
func isRaw(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp,
		atom.Plaintext:
		return true
	}
	return false
}

// isVoid is an element without content.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Br, atom.Img, atom.Hr, atom.Input, atom.Meta, atom.Link, atom.Base, atom.Col, atom.Area, atom.Wbr,
		atom.Embed, atom.Param, atom.Source, atom.Track, atom.Basefont, atom.Bgsound, atom.Frame, atom.Keygen,
		atom.Image:
		return true
	}
	return false
}

// isFormatting is an element that goes on after the end of the paragraph it was opened in (HTML 13.2.4.3).
func isFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

// isSpecial is an element that the end tag of another one does not close.
func isSpecial(tag atom.Atom) bool {
	switch tag {
	case atom.Address, atom.Applet, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Button, atom.Caption,
		atom.Center,
		atom.Dd, atom.Details, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer,
		atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Html, atom.Li,
		atom.Listing,
		atom.Main, atom.Marquee, atom.Menu, atom.Nav, atom.Noembed, atom.Noframes, atom.Noscript, atom.Object, atom.Ol,
		atom.P,
		atom.Pre, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Template,
		atom.Tfoot,
		atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// isFence is an element that an end tag outside of tables does not look beyond (HTML 13.2.4.2).
func isFence(tag atom.Atom) bool {
	switch tag {
	case atom.Applet, atom.Caption, atom.Html, atom.Table, atom.Td, atom.Th, atom.Marquee, atom.Object, atom.Template:
		return true
	}
	return false
}

// endsParagraph is an element at whose start an open paragraph ends.
func endsParagraph(tag atom.Atom) bool {
	switch tag {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir,
		atom.Div,
		atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Main,
		atom.Menu, atom.Nav,
		atom.Ol, atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6,
		atom.Pre, atom.Listing, atom.Form, atom.Li, atom.Dd, atom.Dt, atom.Hr, atom.Xmp, atom.Plaintext:
		return true
	}
	return false
}

func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
