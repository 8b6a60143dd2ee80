package main

import (
	"fmt"
	"sync"
)

var pingPongFields = []field{
	number("pairs", 64, 1, 1000000),
	number("rounds", 10000, 1, 1000000000),
	number("capacity", 0, 0, 1000000),
	// A goroutine that becomes ready always goes to runnext, the runtime's LIFO slot. This cannot be changed.
	{name: "hint", choices: []string{"none", "next"}, can: []string{"none"}},
}

// Each pair sends a number there and back; the far end adds one.
type pingPong struct {
	nothingMore
	rounds uint64
	pairs  []pingPongPair
	done   sync.WaitGroup
}

type pingPongPair struct {
	there, back chan uint64
	answer      uint64 // written by the near end, read after the round
	_           [cacheLine - 24]byte
}

func newPingPong(parameters settings, _ uint64) (workload, *refusal) {
	pairs, capacity := parameters.number("pairs"), parameters.number("capacity")
	bytesEach := 2 * (bytesPerGoroutine + 8*capacity)
	if refused := requireMemory("pingpong:pairs", "pairs of goroutines", pairs, bytesEach); refused != nil {
		return nil, refused
	}
	w := &pingPong{rounds: parameters.number("rounds"), pairs: make([]pingPongPair, pairs)}
	for i := range w.pairs {
		w.pairs[i].there = make(chan uint64, capacity)
		w.pairs[i].back = make(chan uint64, capacity)
	}
	return w, nil
}

func (w *pingPong) prepare() {
	for i := range w.pairs {
		w.pairs[i].answer = 0
	}
}

func (w *pingPong) run() uint64 {
	w.done.Add(2 * len(w.pairs))
	for i := range w.pairs {
		pair := &w.pairs[i]
		countSpawn()
		go w.near(pair)
		countSpawn()
		go w.far(pair)
	}
	w.done.Wait()
	return uint64(len(w.pairs)) * w.rounds
}

func (w *pingPong) near(pair *pingPongPair) {
	number := uint64(0)
	for i := w.rounds; i > 0; i-- {
		pair.there <- number
		number = <-pair.back
	}
	pair.answer = number
	w.done.Done()
}

func (w *pingPong) far(pair *pingPongPair) {
	for i := w.rounds; i > 0; i-- {
		pair.back <- <-pair.there + 1
	}
	w.done.Done()
}

func (w *pingPong) verify() string {
	for i := range w.pairs {
		if w.pairs[i].answer != w.rounds {
			return fmt.Sprintf("pair %d counted %d round trips of %d", i, w.pairs[i].answer, w.rounds)
		}
	}
	return ""
}
