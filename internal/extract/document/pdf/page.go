package pdf

// page is what is needed of a page.
type page struct {
	dict      dict
	resources dict // its own, or those of a node above it
}

// Bounds of the tree of pages.
const (
	maxPages     = 10000
	maxPageDepth = 50
)

// pages calls give with the pages in order, until it says no. Where the tree is broken, every object that says it is a
// page is one, in order of their numbers.
func (f *file) pages(give func(page) bool) {
	w := pageWalk{f: f, give: give, seen: map[ref]bool{}}
	root := f.dict(f.catalog)
	if root["Pages"] == nil {
		root = f.findCatalog()
	}
	w.node(root["Pages"], nil, 0)
	if w.count > 0 || w.over {
		return
	}
	for _, num := range f.numbersInOrder() {
		if d := f.dict(ref(num)); d["Type"] == name("Page") && !w.leaf(d, f.dict(d["Resources"])) {
			return
		}
	}
}

// findCatalog looks for a catalog where the trailer names none.
func (f *file) findCatalog() dict {
	for _, num := range f.numbersInOrder() {
		if d := f.dict(ref(num)); d["Type"] == name("Catalog") && d["Pages"] != nil {
			return d
		}
	}
	return nil
}

// pageWalk goes through the tree once.
type pageWalk struct {
	f     *file
	give  func(page) bool
	seen  map[ref]bool
	count int
	over  bool
}

// node visits a node of the tree.
func (w *pageWalk) node(o object, resources dict, depth int) {
	if r, ok := o.(ref); ok {
		if w.seen[r] {
			return
		}
		w.seen[r] = true
	}
	d := w.f.dict(o)
	if d == nil || w.over || depth > maxPageDepth || !w.f.bud.Step() || !w.f.bud.Take(nodeBytes) {
		return
	}
	if own := w.f.dict(d["Resources"]); own != nil {
		resources = own
	}
	kids := w.f.array(d["Kids"])
	if kids == nil {
		w.leaf(d, resources)
		return
	}
	for _, kid := range kids {
		if w.node(kid, resources, depth+1); w.over {
			return
		}
	}
}

// leaf returns a page, and says whether to go on.
func (w *pageWalk) leaf(d, resources dict) bool {
	if d["Contents"] == nil && d["Annots"] == nil && d["Type"] != name("Page") {
		return true
	}
	w.count++
	if w.count > maxPages || !w.give(page{dict: d, resources: resources}) {
		w.over = true
	}
	return !w.over
}

// content is the program of a page: its streams, one after the other. Give it back when it was read.
func (f *file) content(o object) []byte {
	switch o := f.resolve(o).(type) {
	case *stream:
		return f.data(o)
	case array:
		var all []byte
		for _, part := range o {
			s, ok := f.resolve(part).(*stream)
			if !ok || !f.bud.Pause() {
				continue
			}
			all = f.joined(all, f.data(s))
		}
		return all
	}
	return nil
}

// joined appends a part to a program, with a blank between, and keeps the account of both.
func (f *file) joined(all, part []byte) []byte {
	defer f.bud.Give(cap(part))
	need := len(all) + len(part) + 1
	if need > cap(all) {
		room := max(need, min(2*cap(all), maxStream))
		if need > maxStream || !f.bud.Take(room) {
			return all
		}
		f.bud.Give(cap(all))
		all = append(make([]byte, 0, room), all...)
	}
	return append(append(all, part...), '\n')
}
