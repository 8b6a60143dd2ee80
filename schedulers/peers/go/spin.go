package main

import (
	"math"
	"sync"
	"time"
)

// Work of a given length and nothing else: a chain of multiplications in registers, each of which waits for the one
// before. The same as workloads/parts/spin_work.hpp. It is an amount of work, not a time.
type spinWork struct {
	steps uint64
}

// newSpinWork counts nanoseconds on a CPU as fast as this one was when it was first called.
func newSpinWork(ns uint64) spinWork {
	if ns == 0 {
		return spinWork{}
	}
	return spinWork{uint64(math.Max(1, math.Round(float64(ns)*stepsPerNs())))}
}

func (s spinWork) do() {
	if s.steps == 0 {
		return
	}
	spin(s.steps)
	// Nothing that follows begins before the chain has ended: a CPU that looks far ahead would do a short one together
	// with the next.
	fence()
}

// In Go, so that it can be preempted, and no part of its caller, so that it is done although nobody wants the result.
//
//go:noinline
func spin(steps uint64) uint64 {
	const factor = 6364136223846793005 // D. Knuth, MMIX; any odd number would do
	value := steps
	for i := uint64(0); i < steps; i++ {
		value = value*factor + 1
	}
	return value
}

var calibration struct {
	once       sync.Once
	stepsPerNs float64
}

func stepsPerNs() float64 {
	calibration.once.Do(func() {
		// The best of many short trials: one that the kernel, or a core that had yet to speed up, did not disturb.
		const trials = 50
		trial := spinWork{20000}
		best := time.Duration(math.MaxInt64)
		for i := 0; i < trials; i++ {
			start := time.Now()
			trial.do()
			if took := time.Since(start); took < best {
				best = took
			}
		}
		calibration.stepsPerNs = float64(trial.steps) / math.Max(float64(best), 1)
	})
	return calibration.stepsPerNs
}
