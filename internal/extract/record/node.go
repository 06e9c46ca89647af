package record

import "strings"

// node is a thing of JSON-LD or microdata: its types and its properties, which can be things themselves.
type node struct {
	types []string
	id    string
	props []prop
}

type prop struct {
	name   string
	values []content
}

// content is a text or a thing.
type content struct {
	text string
	node *node
}

// plain returns the last part of a name: of http://schema.org/Order, schema:Order and Order the same.
func plain(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), "/#")
	return name[strings.LastIndexAny(name, "/#:")+1:]
}

func (n *node) add(name string, v content) {
	for i := range n.props {
		if n.props[i].name == name {
			n.props[i].values = append(n.props[i].values, v)
			return
		}
	}
	n.props = append(n.props, prop{name, []content{v}})
}

// is says whether the node is of one of the types.
func (n *node) is(types ...string) bool {
	for _, have := range n.types {
		for _, t := range types {
			if strings.EqualFold(have, t) {
				return true
			}
		}
	}
	return false
}

// endsWith says whether a type of the node ends so: all reservations do.
func (n *node) endsWith(suffix string) bool {
	for _, have := range n.types {
		if len(have) >= len(suffix) && strings.EqualFold(have[len(have)-len(suffix):], suffix) {
			return true
		}
	}
	return false
}

// all returns the values of the first of the properties that the node has.
func (n *node) all(names ...string) []content {
	if n == nil {
		return nil
	}
	for _, name := range names {
		for _, p := range n.props {
			if strings.EqualFold(p.name, name) && len(p.values) > 0 {
				return p.values
			}
		}
	}
	return nil
}

// text returns the first of the properties that has a text, of a thing its name.
func (n *node) text(names ...string) string {
	for _, name := range names {
		for _, v := range n.all(name) {
			if s := v.String(); s != "" {
				return s
			}
		}
	}
	return ""
}

// String returns a text, or what a thing is called.
func (v content) String() string {
	if v.node == nil {
		return squeeze(v.text)
	}
	for _, name := range []string{"@value", "name", "legalName", "value", "alternateName", "identifier"} {
		for _, inner := range v.node.all(name) {
			if inner.node == nil && inner.text != "" {
				return squeeze(inner.text)
			}
		}
	}
	return ""
}

// node returns the first thing of the properties.
func (n *node) node(names ...string) *node {
	if list := n.nodes(names...); len(list) > 0 {
		return list[0]
	}
	return nil
}

// nodes returns the things of the first of the properties that has any.
func (n *node) nodes(names ...string) []*node {
	for _, name := range names {
		var list []*node
		for _, v := range n.all(name) {
			if v.node != nil {
				list = append(list, v.node)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}
