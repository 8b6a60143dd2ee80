package main

import (
	"fmt"
	"math"
	"sort"
	"sync"
	"time"
)

var timersFields = []field{
	number("sleepers", 1000000, 1, 4000000000),
	number("cancelled_percent", 50, 0, 100),
	number("max_ms", 100, 1, 600000),
}

// Very many goroutines that wait for a channel or a timer, whichever is first.
type timers struct {
	waits            []timedWait
	cancelledPercent uint64
	maxNs            uint64
	seed             uint64
	begun            sync.WaitGroup
	ended            sync.WaitGroup
}

type timedWait struct {
	event       chan struct{}
	sleep       time.Duration
	isCancelled bool
	// The rest is written by the goroutine.
	due      time.Time
	ended    time.Time
	hasFired bool
}

func newTimers(parameters settings, seed uint64) (workload, *refusal) {
	sleepers := parameters.number("sleepers")
	if refused := requireMemory("timers:sleepers", "sleeping goroutines", sleepers, bytesPerGoroutine+400); refused != nil {
		return nil, refused
	}
	if sleepers >= math.MaxInt32 {
		return nil, refuse(kindLimit, "a sync.WaitGroup counts only up to %d: timers:sleepers=%d", math.MaxInt32, math.MaxInt32-1)
	}
	return &timers{
		waits:            make([]timedWait, sleepers),
		cancelledPercent: parameters.number("cancelled_percent"),
		maxNs:            parameters.number("max_ms") * 1000000,
		seed:             seed,
	}, nil
}

func (w *timers) prepare() {
	for i := range w.waits {
		random := deriveSeed(w.seed, uint64(i))
		wait := timedWait{event: make(chan struct{}), isCancelled: random%100 < w.cancelledPercent, sleep: time.Hour}
		if !wait.isCancelled {
			wait.sleep = time.Duration(deriveSeed(random, 1) % w.maxNs)
		}
		w.waits[i] = wait
	}
}

func (w *timers) run() uint64 {
	w.begun.Add(len(w.waits))
	w.ended.Add(len(w.waits) + 1)
	countSpawn()
	go func() {
		for i := range w.waits {
			countSpawn()
			go w.wait(&w.waits[i])
		}
		w.begun.Wait()
		for i := range w.waits {
			if w.waits[i].isCancelled {
				close(w.waits[i].event)
			}
		}
		w.ended.Done()
	}()
	w.ended.Wait()
	return uint64(len(w.waits))
}

func (w *timers) wait(wait *timedWait) {
	w.begun.Done()
	wait.due = time.Now().Add(wait.sleep)
	timer := time.NewTimer(wait.sleep)
	select {
	case <-wait.event:
		wait.hasFired = true
		timer.Stop()
	case <-timer.C:
	}
	wait.ended = time.Now()
	w.ended.Done()
}

func (w *timers) verify() string {
	for i := range w.waits {
		wait := &w.waits[i]
		if wait.ended.IsZero() {
			return fmt.Sprintf("goroutine %d did not return from its wait", i)
		}
		if wait.hasFired != wait.isCancelled {
			if wait.hasFired {
				return fmt.Sprintf("goroutine %d: the wait returned without its event", i)
			}
			return fmt.Sprintf("goroutine %d: the wait timed out", i)
		}
		if !wait.hasFired && wait.ended.Before(wait.due) {
			return fmt.Sprintf("goroutine %d continued %v too early", i, wait.due.Sub(wait.ended))
		}
	}
	return ""
}

func (w *timers) figures() map[string]float64 {
	late := sample{}
	for i := range w.waits {
		if !w.waits[i].hasFired {
			late = append(late, float64(w.waits[i].ended.Sub(w.waits[i].due)))
		}
	}
	if len(late) == 0 {
		return map[string]float64{"lateness_p50": 0, "lateness_p99": math.NaN()}
	}
	sort.Float64s(late)
	return map[string]float64{"lateness_p50": late.quantile(0.5), "lateness_p99": late.p99()}
}
