// Prints what `go tool trace` of Go 1.11 to 1.21 computes of a trace: the number of goroutines, and their running time in
// nanoseconds. It imports an internal package, so go_traces.sh overlays it on the tree of Go.
package main

import (
	"bufio"
	"fmt"
	"internal/trace"
	"os"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed, err := trace.Parse(bufio.NewReader(file), "")
	if err != nil {
		panic(err)
	}
	var running int64
	goroutines := trace.GoroutineStats(parsed.Events)
	for _, g := range goroutines {
		running += g.ExecTime
	}
	fmt.Println(len(goroutines), running)
}
