package main

import (
	"fmt"
	"math"
	"sync"
	"time"
)

var millionFields = []field{
	number("fibers", 1000000, 1, 4000000000),
}

// Very many goroutines that wait for one event.
type million struct {
	steps []uint8 // of each goroutine, written by it
	gate  chan struct{}
	begun sync.WaitGroup
	ended sync.WaitGroup

	allSuspended   bool
	createTime     time.Duration
	wakeTime       time.Duration
	bytesSuspended uint64
}

func newMillion(parameters settings, _ uint64) (workload, *refusal) {
	fibers := parameters.number("fibers")
	if refused := requireMemory("million:fibers", "suspended goroutines", fibers, bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	if fibers > math.MaxInt32 {
		return nil, refuse(kindLimit, "a sync.WaitGroup counts only up to %d: million:fibers=%d", math.MaxInt32, math.MaxInt32)
	}
	return &million{steps: make([]uint8, fibers)}, nil
}

func (w *million) prepare() {
	for i := range w.steps {
		w.steps[i] = 0
	}
	w.gate = make(chan struct{})
}

func (w *million) run() uint64 {
	start := time.Now()
	w.begun.Add(len(w.steps))
	w.ended.Add(len(w.steps))
	countSpawn()
	go func() {
		for i := range w.steps {
			countSpawn()
			go w.waitForAll(&w.steps[i])
		}
	}()
	// The last ones, at most one per worker, may not have reached the gate yet.
	w.begun.Wait()
	w.createTime = time.Since(start)
	w.bytesSuspended = residentBytes()
	w.allSuspended = w.allAt(1)

	fired := time.Now()
	countSpawn()
	go close(w.gate)
	w.ended.Wait()
	w.wakeTime = time.Since(fired)
	return uint64(len(w.steps))
}

func (w *million) waitForAll(step *uint8) {
	*step++
	w.begun.Done()
	<-w.gate
	*step++
	w.ended.Done()
}

func (w *million) allAt(right uint8) bool {
	for _, step := range w.steps {
		if step != right {
			return false
		}
	}
	return true
}

func (w *million) verify() string {
	if !w.allSuspended {
		return "a goroutine began to wait, and its step was not visible"
	}
	for i, step := range w.steps {
		if step != 2 {
			return fmt.Sprintf("goroutine %d made %d of 2 steps", i, step)
		}
	}
	return ""
}

func (w *million) figures() map[string]float64 {
	return map[string]float64{
		"create_time":     float64(w.createTime),
		"wake_time":       float64(w.wakeTime),
		"bytes_per_fiber": float64(w.bytesSuspended) / float64(len(w.steps)),
	}
}
