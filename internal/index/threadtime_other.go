//go:build !linux

package index

import "time"

var processBegan = time.Now()

// threadTime is the time of day, where that of a thread is not known.
func threadTime() time.Duration { return time.Since(processBegan) }
