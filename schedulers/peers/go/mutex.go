package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

var mutexFields = []field{
	number("fibers", 16, 1, 1000000),
	number("sections", 2000, 1, 1000000000),
	number("critical_ns", 100, 0, 1000000000),
	number("outside_ns", 100, 0, 1000000000),
}

// Goroutines that lock one mutex again and again.
type mutex struct {
	clients, sections uint64 // sections: of each client
	critical, outside spinWork
	start             time.Time
	firstDone         atomic.Int64 // ns after the start; 0: no client yet
	took              time.Duration
	done              sync.WaitGroup

	_    [cacheLine]byte
	lock sync.Mutex
	_    [cacheLine]byte
	data uint64 // sections so far; the lock guards it
	_    [cacheLine]byte
}

func newMutex(parameters settings, _ uint64) (workload, *refusal) {
	clients := parameters.number("fibers")
	if refused := requireMemory("mutex:fibers", "clients", clients, bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	return &mutex{
		clients:  clients,
		sections: parameters.number("sections"),
		critical: newSpinWork(parameters.number("critical_ns")),
		outside:  newSpinWork(parameters.number("outside_ns")),
	}, nil
}

func (w *mutex) prepare() {
	w.data = 0
	w.firstDone.Store(0)
}

func (w *mutex) run() uint64 {
	w.start = time.Now()
	w.done.Add(int(w.clients))
	for client := w.clients; client > 0; client-- {
		countSpawn()
		go w.client()
	}
	w.done.Wait()
	w.took = time.Since(w.start)
	return w.clients * w.sections
}

func (w *mutex) client() {
	for section := w.sections; section > 0; section-- {
		w.lock.Lock()
		w.data++
		w.critical.do()
		w.lock.Unlock()
		w.outside.do()
	}
	if w.firstDone.Load() == 0 {
		w.firstDone.CompareAndSwap(0, int64(time.Since(w.start)))
	}
	w.done.Done()
}

func (w *mutex) verify() string {
	if w.data != w.clients*w.sections {
		return fmt.Sprintf("the shared data counted %d critical sections of %d", w.data, w.clients*w.sections)
	}
	return ""
}

func (w *mutex) figures() map[string]float64 {
	return map[string]float64{"first_done": float64(w.firstDone.Load()) / float64(w.took)}
}
