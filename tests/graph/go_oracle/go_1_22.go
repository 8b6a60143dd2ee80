// Prints what `go tool trace` since Go 1.22 computes of a trace: the number of goroutines, and their running time in
// nanoseconds. It imports an internal package, so go_traces.sh overlays it on the tree of Go.
package main

import (
	"bufio"
	"fmt"
	"internal/trace"
	"io"
	"os"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	reader, err := trace.NewReader(bufio.NewReader(file))
	if err != nil {
		panic(err)
	}
	summarizer := trace.NewSummarizer()
	for {
		event, err := reader.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		summarizer.Event(&event)
	}
	var running int64
	goroutines := summarizer.Finalize().Goroutines
	for _, g := range goroutines {
		running += int64(g.ExecTime)
	}
	fmt.Println(len(goroutines), running)
}
