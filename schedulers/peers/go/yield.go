package main

import (
	"fmt"
	"runtime"
	"sync"
)

var yieldFields = []field{
	number("fibers", 1000, 1, 1000000),
	number("yields", 1000, 1, 1000000000),
	{name: "front_end", fallback: 1, choices: []string{"task", "fiber", "coroutine"}, can: []string{"fiber"}},
}

// Goroutines that only yield.
type yield struct {
	nothingMore
	yields     uint64
	yieldsDone []uint64 // of each goroutine, written by it
	done       sync.WaitGroup
}

func newYield(parameters settings, _ uint64) (workload, *refusal) {
	fibers := parameters.number("fibers")
	if refused := requireMemory("yield:fibers", "goroutines", fibers, bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	return &yield{yields: parameters.number("yields"), yieldsDone: make([]uint64, fibers)}, nil
}

func (w *yield) prepare() {
	for i := range w.yieldsDone {
		w.yieldsDone[i] = 0
	}
}

func (w *yield) run() uint64 {
	w.done.Add(len(w.yieldsDone))
	for i := range w.yieldsDone {
		countSpawn()
		go w.yieldMany(&w.yieldsDone[i])
	}
	w.done.Wait()
	return uint64(len(w.yieldsDone)) * w.yields
}

func (w *yield) yieldMany(yieldsDone *uint64) {
	count := uint64(0)
	for ; count < w.yields; count++ {
		runtime.Gosched()
	}
	*yieldsDone = count
	w.done.Done()
}

func (w *yield) verify() string {
	for i, done := range w.yieldsDone {
		if done != w.yields {
			return fmt.Sprintf("goroutine %d yielded %d times of %d", i, done, w.yields)
		}
	}
	return ""
}
