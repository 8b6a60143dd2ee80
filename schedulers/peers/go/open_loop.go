package main

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const defaultBurst = 10

var openLoopFields = []field{
	real("rate", 20000, 1, 1e8),
	{name: "arrivals", fallback: 1, choices: []string{"constant", "poisson", "bursty"}},
	number("burst", defaultBurst, 1, 1000000),
	number("requests", 5000, 1, 100000000),
	number("service_ns", 20000, 0, 1000000000),
	{name: "service", fallback: 1, choices: []string{"constant", "exponential"}},
	number("source_spin_ns", 20000, 0, 1000000000),
}

// Requests that arrive at times drawn in advance. The main goroutine starts a goroutine for each.
type openLoop struct {
	laws     loadLaws
	seed     uint64
	spinNs   uint64
	round    uint64 // number of the next one
	requests []timedRequest
	start    time.Time

	_    [cacheLine]byte
	done sync.WaitGroup
	_    [cacheLine]byte
}

// Times are in nanoseconds after the round's start. All but due and submitted are written by the request's goroutine.
type timedRequest struct {
	requestTimes
	work   spinWork
	answer uint64
	runs   uint64
	_      [cacheLine - 56]byte
}

func newOpenLoop(parameters settings, seed uint64) (workload, *refusal) {
	requests := parameters.number("requests")
	if refused := requireMemory("open_loop:requests", "requests", requests, cacheLine+16+bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	laws := loadLaws{
		arrivals:  parameters.choice("arrivals"),
		rate:      parameters.real("rate"),
		burst:     parameters.number("burst"),
		service:   parameters.choice("service"),
		serviceNs: parameters.number("service_ns"),
	}
	if laws.arrivals != "bursty" && laws.burst != defaultBurst {
		return nil, refuse(kindInput, "parameters /burst: requests arrive one by one; this field needs arrivals=bursty")
	}
	return &openLoop{
		laws:     laws,
		seed:     seed,
		spinNs:   parameters.number("source_spin_ns"),
		requests: make([]timedRequest, requests),
	}, nil
}

func (w *openLoop) prepare() {
	for i, drawn := range w.laws.draw(len(w.requests), w.seed, w.round) {
		w.requests[i] = timedRequest{requestTimes: requestTimes{due: drawn.dueNs}, work: newSpinWork(drawn.serviceNs)}
	}
	w.round++
}

func (w *openLoop) run() uint64 {
	// The kernel may end its sleeps at most a microsecond late.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	setTimerSlack(1000)
	defer setTimerSlack(0)
	w.done.Add(len(w.requests))
	w.start = time.Now()
	for i := range w.requests {
		request := &w.requests[i]
		request.submitted = w.waitUntil(request.due)
		countSpawn()
		go w.serve(i)
	}
	w.done.Wait()
	return uint64(len(w.requests))
}

func (w *openLoop) now() uint64 {
	return uint64(time.Since(w.start))
}

// waitUntil returns the time at which it returns. It sleeps by a system call, because the timers of time.Sleep are up to a
// millisecond late.
func (w *openLoop) waitUntil(due uint64) uint64 {
	now := w.now()
	for now+w.spinNs < due {
		left := syscall.NsecToTimespec(int64(due - w.spinNs - now))
		// A signal may end the sleep early.
		_ = syscall.Nanosleep(&left, nil)
		now = w.now()
	}
	for now < due {
		now = w.now()
	}
	return now
}

func (w *openLoop) serve(number int) {
	request := &w.requests[number]
	request.begun = w.now()
	request.work.do()
	request.answer = deriveSeed(w.seed, uint64(number))
	request.runs++
	request.ended = w.now()
	w.done.Done()
}

func (w *openLoop) verify() string {
	for i := range w.requests {
		request, right := &w.requests[i], deriveSeed(w.seed, uint64(i))
		if request.runs != 1 {
			return fmt.Sprintf("request %d was served %d times", i, request.runs)
		}
		if request.answer != right {
			return fmt.Sprintf("request %d got the answer %d, not %d", i, request.answer, right)
		}
	}
	return ""
}

func (w *openLoop) figures() map[string]float64 {
	times := make([]requestTimes, len(w.requests))
	for i := range w.requests {
		times[i] = w.requests[i].requestTimes
	}
	return loadFigures(times)
}
