package pdf

// object is a value of the document: nil, bool, float64, name, text, array, dict, *stream or ref. In a content stream
// and where something is broken it may be a keyword too.
type object any

type (
	name    string
	text    string // the bytes of a string
	keyword string
	array   []object
	dict    map[name]object
	ref     int // the number of an object; generations are not told apart
)

// stream is a dictionary with bytes, still encoded.
type stream struct {
	dict dict
	raw  []byte
	num  int // of the object, for decryption
}

// number is the value of a number, else 0.
func number(o object) float64 {
	f, _ := o.(float64)
	return f
}

// integer is the value of a whole number within a range that can be calculated with, else -1.
func integer(o object) int {
	f, ok := o.(float64)
	if !ok || f != float64(int(f)) || f < 0 || f > 1<<31 {
		return -1
	}
	return int(f)
}
