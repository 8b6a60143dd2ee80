package main

import (
	"fmt"
	"sync"
)

var chainedSpawnFields = []field{
	number("depth", 1000, 1, 1000000000),
	number("chains", 100, 1, 1000000),
	{name: "front_end", fallback: 1, choices: []string{"task", "fiber"}, can: []string{"fiber"}},
}

// Each link starts the next one and ends; after the last one the next chain starts.
type chainedSpawn struct {
	nothingMore
	depth, chains uint64
	links         uint64 // written by the running link
	end           sync.WaitGroup
}

func newChainedSpawn(parameters settings, _ uint64) (workload, *refusal) {
	return &chainedSpawn{depth: parameters.number("depth"), chains: parameters.number("chains")}, nil
}

func (w *chainedSpawn) prepare() {
	w.links = 0
}

func (w *chainedSpawn) run() uint64 {
	for chain := w.chains; chain > 0; chain-- {
		w.end.Add(1)
		countSpawn()
		go w.link(w.depth)
		w.end.Wait()
	}
	return w.depth * w.chains
}

func (w *chainedSpawn) link(left uint64) {
	w.links++
	if left > 1 {
		countSpawn()
		go w.link(left - 1)
	} else {
		w.end.Done()
	}
}

func (w *chainedSpawn) verify() string {
	if w.links != w.depth*w.chains {
		return fmt.Sprintf("%d links ran of %d", w.links, w.depth*w.chains)
	}
	return ""
}
