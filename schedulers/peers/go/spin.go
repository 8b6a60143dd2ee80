package main

import (
	"math"
	"sync"
	"time"
)

// Work of a given length: a chain of multiplications in registers, each of which depends on the previous one. The same as
// workloads/parts/spin_work.hpp. It is an amount of work, not a time.
type spinWork struct {
	steps uint64
}

// newSpinWork takes nanoseconds, calibrated at its first call.
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
	// No later instruction begins before the chain has ended: a CPU with a large reorder window would overlap a short
	// chain with the next one.
	fence()
}

// In Go, so that it can be preempted; not inlined, so that it runs although its result is not used.
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
		// The fastest of many short trials: one without an interruption and at the full frequency of the core.
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
