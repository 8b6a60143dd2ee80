package main

import (
	"fmt"
	"sync"
	"syscall"
	"time"
)

var blockingSyscallFields = []field{
	number("fibers", 16, 1, 1000000),
	number("calls", 20, 1, 1000000),
	number("call_us", 200, 0, 10000000),
	number("work_ns", 5000, 0, 1000000000),
	// The runtime has one kind of system call: its monitor retakes the P.
	{name: "by", choices: []string{"blocking", "syscall"}},
}

// Goroutines that block their threads in the kernel.
type blockingSyscall struct {
	nothingMore
	calls    uint64
	call     time.Duration
	work     spinWork
	returned []uint64 // calls of each goroutine
	done     sync.WaitGroup
}

func newBlockingSyscall(parameters settings, _ uint64) (workload, *refusal) {
	fibers := parameters.number("fibers")
	if refused := requireMemory("blocking_syscall:fibers", "goroutines in calls", fibers, bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	return &blockingSyscall{
		calls:    parameters.number("calls"),
		call:     time.Duration(parameters.number("call_us")) * time.Microsecond,
		work:     newSpinWork(parameters.number("work_ns")),
		returned: make([]uint64, fibers),
	}, nil
}

func (w *blockingSyscall) prepare() {
	for i := range w.returned {
		w.returned[i] = 0
	}
}

func (w *blockingSyscall) run() uint64 {
	w.done.Add(len(w.returned))
	for i := range w.returned {
		countSpawn()
		go w.callEach(&w.returned[i])
	}
	w.done.Wait()
	return w.calls * uint64(len(w.returned))
}

func (w *blockingSyscall) callEach(returned *uint64) {
	for i := uint64(0); i < w.calls; i++ {
		w.work.do()
		if w.call > 0 {
			left := syscall.NsecToTimespec(int64(w.call))
			// A signal of the runtime may end the sleep early.
			for syscall.Nanosleep(&left, &left) == syscall.EINTR {
			}
		}
		*returned++
	}
	w.done.Done()
}

func (w *blockingSyscall) verify() string {
	for i, returned := range w.returned {
		if returned != w.calls {
			return fmt.Sprintf("goroutine %d returned from %d of %d calls", i, returned, w.calls)
		}
	}
	return ""
}
