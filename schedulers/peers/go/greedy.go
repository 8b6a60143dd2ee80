package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var greedyFields = []field{
	number("sleep_ms", 1000, 1, 3600000),
	// The runtime interrupts any loop, so points are as spins.
	{name: "loop", fallback: 1, choices: []string{"spins", "points", "yields"}},
}

// A goroutine adds numbers in a loop, and another one sleeps and then ends the loop.
type greedy struct {
	nothingMore
	sleep  time.Duration
	yields bool
	over   atomic.Bool
	turns  uint64 // of the greedy goroutine
	done   sync.WaitGroup
}

func newGreedy(parameters settings, _ uint64) (workload, *refusal) {
	return &greedy{
		sleep:  time.Duration(parameters.number("sleep_ms")) * time.Millisecond,
		yields: parameters.choice("loop") == "yields",
	}, nil
}

func (w *greedy) prepare() {
	w.over.Store(false)
	w.turns = 0
}

func (w *greedy) run() uint64 {
	w.done.Add(2)
	countSpawn()
	go func() {
		time.Sleep(w.sleep)
		w.over.Store(true)
		w.done.Done()
	}()
	countSpawn()
	go func() {
		for !w.over.Load() {
			w.turns++
			if w.yields {
				runtime.Gosched()
			}
		}
		w.done.Done()
	}()
	w.done.Wait()
	return 1
}

func (w *greedy) verify() string {
	if w.turns == 0 {
		return "the greedy goroutine made no turn"
	}
	return ""
}
