package main

import (
	"fmt"
	"sync"
)

var fibFields = []field{
	number("n", 20, 2, 42),
	{name: "branches", choices: []string{"one", "both"}},
	{name: "fork", choices: []string{"spawn", "structured"}, can: []string{"spawn"}},
}

// The Fibonacci numbers by their definition: only forks and joins.
type fib struct {
	nothingMore
	n      uint64
	both   bool
	answer uint64 // written by the first goroutine, read after the round
	done   sync.WaitGroup
}

func fibonacci(n uint64) uint64 {
	previous, number := uint64(0), uint64(1)
	for ; n > 0; n-- {
		previous, number = number, previous+number
	}
	return previous
}

// forks returns how many goroutines a round starts, without the first. Each call above fib(1) has two branches.
func forks(n uint64, both bool) uint64 {
	calls := fibonacci(n+1) - 1
	if both {
		return 2 * calls
	}
	return calls
}

func newFib(parameters settings, _ uint64) (workload, *refusal) {
	w := &fib{n: parameters.number("n"), both: parameters.choice("branches") == "both"}
	fits := w.n
	for fits > 2 && forks(fits, w.both) > availableMemoryBytes()/bytesPerGoroutine {
		fits--
	}
	if fits < w.n {
		return nil, refuse(kindLimit, "%d suspended goroutines need about %.0f MB of RAM; what fits: fib:n=%d",
			forks(w.n, w.both), float64(forks(w.n, w.both))*bytesPerGoroutine/1e6, fits)
	}
	return w, nil
}

func (w *fib) prepare() {
	w.answer = 0
}

func (w *fib) run() uint64 {
	w.done.Add(1)
	countSpawn()
	go func() {
		if w.both {
			w.answer = forkBoth(w.n)
		} else {
			w.answer = forkOne(w.n)
		}
		w.done.Done()
	}()
	w.done.Wait()
	return forks(w.n, w.both)
}

// What a call shares with its forks: one object on the heap.
type forked struct {
	first, second uint64
	done          sync.WaitGroup
}

func forkOne(n uint64) uint64 {
	if n < 2 {
		return n
	}
	branches := &forked{}
	branches.done.Add(1)
	countSpawn()
	go func() {
		branches.first = forkOne(n - 1)
		branches.done.Done()
	}()
	countInlineCall()
	second := forkOne(n - 2)
	branches.done.Wait()
	return branches.first + second
}

func forkBoth(n uint64) uint64 {
	if n < 2 {
		return n
	}
	branches := &forked{}
	branches.done.Add(2)
	countSpawn()
	go func() {
		branches.first = forkBoth(n - 1)
		branches.done.Done()
	}()
	countSpawn()
	go func() {
		branches.second = forkBoth(n - 2)
		branches.done.Done()
	}()
	branches.done.Wait()
	return branches.first + branches.second
}

func (w *fib) verify() string {
	if right := fibonacci(w.n); w.answer != right {
		return fmt.Sprintf("fib(%d) is %d, not %d", w.n, right, w.answer)
	}
	return ""
}
