package view

// Reason is the rule by which something is hidden; 0 is what is shown.
type Reason uint8

// The reasons.
const (
	Visible Reason = iota
	DisplayNone
	Visibility
	Opacity
	HiddenAttribute
	ZeroSize
	FontSize
	Colour
	Clip
	OffScreen
	Transform
	Indent
	MsoHide
	NotRendered // the content of template, script and the like
	Unread      // the budget for style sheets was spent
	Empty       // a link with nothing in it
	Undecided   // a browser may hide it, and it cannot be told whether it does
	Unreadable  // dots stand in place of its letters
	Filtered    // blurred
	Covered     // something stands before it
	reasons

	// bySheet says that a style sheet did it, and not the element itself.
	bySheet Reason = 0x80
)

var reasonNames = [reasons]string{
	Visible: "", DisplayNone: "display:none", Visibility: "visibility", Opacity: "opacity",
	HiddenAttribute: "hidden attribute",
	ZeroSize:        "zero size", FontSize: "font-size", Colour: "colour of its background", Clip: "clip",
	OffScreen: "off-screen",
	Transform: "transform", Indent: "text-indent", MsoHide: "mso-hide", NotRendered: "not rendered",
	Unread: "style sheet too complex", Empty: "empty",
	Undecided: "cannot be told", Unreadable: "text-security", Filtered: "filter", Covered: "covered",
}

// Rule is the reason without where it was said.
func (r Reason) Rule() Reason { return r &^ bySheet }

// Sheet tells whether a style sheet hides it.
func (r Reason) Sheet() bool { return r&bySheet != 0 }

func (r Reason) String() string {
	if r.Rule() >= reasons {
		return "unknown"
	}
	if r.Sheet() {
		return reasonNames[r.Rule()] + " (style sheet)"
	}
	return reasonNames[r.Rule()]
}
