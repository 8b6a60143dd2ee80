package main

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var taskgraphFields = []field{
	{name: "pattern", fallback: 2, choices: patterns},
	number("width", 32, 1, 1000000),
	number("steps", 500, 1, 1000000),
	number("grain_ns", 1000, 0, 1000000000),
	number("radix", 5, 1, 1000000),
}

// Tasks in steps, each a goroutine that starts when the last task that it depends on has ended.
type taskgraph struct {
	graph    taskGraph
	grainNs  uint64
	grain    spinWork
	expected []uint64
	left     []atomic.Int32  // of each task: dependences that have not ended
	values   []atomic.Uint64 // of each task: its number and the values before it
	seen     []uint64        // of each task: its value when it ran, written by it
	wall     time.Duration   // of the last round
	done     sync.WaitGroup
}

func newTaskgraph(parameters settings, seed uint64) (workload, *refusal) {
	w := &taskgraph{
		graph: taskGraph{
			pattern: parameters.choice("pattern"),
			width:   parameters.number("width"),
			steps:   parameters.number("steps"),
			radix:   parameters.number("radix"),
			seed:    seed,
		},
		grainNs: parameters.number("grain_ns"),
	}
	const bytesPerTask = 64 // of all tables
	places := w.graph.width * w.graph.steps
	if refused := requireMemory("taskgraph:steps", "tasks", places, bytesPerTask); refused != nil {
		return nil, refused
	}
	dependences := w.graph.mostDependences()
	if dependences > math.MaxUint32 {
		return nil, refuse(kindLimit, "%d dependences are more than 4 billion; use fewer steps or a smaller width", dependences)
	}
	if refused := requireMemory("taskgraph:steps", "dependences", dependences, 4); refused != nil {
		return nil, refused
	}
	w.grain = newSpinWork(w.grainNs)
	w.graph.make()
	w.left = make([]atomic.Int32, places)
	w.values = make([]atomic.Uint64, places)
	w.seen = make([]uint64, places)
	w.expected = make([]uint64, places)
	for task := uint64(0); task < places; task++ {
		if w.graph.exists(task) {
			w.expected[task] += numberOf(task)
			for _, dependent := range w.graph.dependentsOf(task) {
				w.expected[dependent] += w.expected[task]
			}
		}
	}
	return w, nil
}

// What a task adds to its value.
func numberOf(task uint64) uint64 {
	return task*2 + 1
}

func (w *taskgraph) prepare() {
	for task := range w.left {
		w.left[task].Store(int32(w.graph.needs[task]))
		w.values[task].Store(0)
		w.seen[task] = 0
	}
}

func (w *taskgraph) run() uint64 {
	start := time.Now()
	w.done.Add(int(w.graph.tasks))
	countSpawn()
	go w.startFirst()
	w.done.Wait()
	w.wall = time.Since(start)
	return w.graph.tasks
}

func (w *taskgraph) startFirst() {
	for task := range w.graph.needs {
		if w.graph.needs[task] == 0 && w.graph.exists(uint64(task)) {
			countSpawn()
			go w.task(uint64(task))
		}
	}
}

func (w *taskgraph) task(task uint64) {
	w.grain.do()
	value := w.values[task].Add(numberOf(task))
	w.seen[task] = value
	for _, dependent := range w.graph.dependentsOf(task) {
		w.values[dependent].Add(value)
		if w.left[dependent].Add(-1) == 0 {
			countSpawn()
			go w.task(uint64(dependent))
		}
	}
	w.done.Done()
}

func (w *taskgraph) verify() string {
	for task := range w.expected {
		if w.seen[task] != w.expected[task] {
			return fmt.Sprintf("task %d ran before all that it depends on had ended, or not once", task)
		}
	}
	return ""
}

func (w *taskgraph) figures() map[string]float64 {
	workers := min(uint64(runtime.GOMAXPROCS(0)), uint64(runtime.NumCPU()))
	granularity := float64(w.wall.Nanoseconds()) * float64(workers) / float64(w.graph.tasks)
	return map[string]float64{"granularity": granularity, "efficiency": float64(w.grainNs) / granularity}
}
