//go:build !linux

package costtest

import "time"

// counter estimates instructions from the time that passes.
func counter() (stop func() float64) {
	from := time.Now()
	return func() float64 { return float64(time.Since(from)) * perNanosecond }
}
