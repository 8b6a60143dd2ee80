package main

import (
	"fmt"
	"sync"
)

var spawnJoinFields = []field{
	number("tasks", 1000000, 1, 100000000),
	// Every thread that runs Go code is a worker.
	{name: "from", choices: []string{"inside", "outside"}, can: []string{"inside"}},
	{name: "front_end", fallback: 1, choices: []string{"task", "fiber", "coroutine", "future"}, can: []string{"fiber"}},
}

// One goroutine starts others that do almost nothing, and waits for all of them.
type spawnJoin struct {
	nothingMore
	runs  []uint8 // of each goroutine, written by it
	tasks sync.WaitGroup
	done  sync.WaitGroup
}

func newSpawnJoin(parameters settings, _ uint64) (workload, *refusal) {
	tasks := parameters.number("tasks")
	// With one worker all of them exist before the first one runs.
	if refused := requireMemory("spawn_join:tasks", "goroutines in a queue", tasks, bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	return &spawnJoin{runs: make([]uint8, tasks)}, nil
}

func (w *spawnJoin) prepare() {
	for i := range w.runs {
		w.runs[i] = 0
	}
}

func (w *spawnJoin) run() uint64 {
	w.done.Add(1)
	countSpawn()
	go w.spawnAndJoin()
	w.done.Wait()
	return uint64(len(w.runs))
}

func (w *spawnJoin) spawnAndJoin() {
	w.tasks.Add(len(w.runs))
	for i := range w.runs {
		runs := &w.runs[i]
		countSpawn()
		go func() {
			*runs++
			w.tasks.Done()
		}()
	}
	w.tasks.Wait()
	w.done.Done()
}

func (w *spawnJoin) verify() string {
	for i, runs := range w.runs {
		if runs != 1 {
			return fmt.Sprintf("goroutine %d ran %d times", i, runs)
		}
	}
	return ""
}
