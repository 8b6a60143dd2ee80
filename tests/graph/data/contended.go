package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

var sink [][]byte

// Goroutines that compete for a mutex, collect garbage, call the system, sleep, and start a process.
func main() {
	f, _ := os.Create(os.Args[1])
	trace.Start(f)
	var mutex sync.Mutex
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 200; j++ {
				mutex.Lock()
				sink = append(sink, make([]byte, 4096))
				if len(sink) > 1000 {
					sink = nil
				}
				mutex.Unlock()
				runtime.Gosched()
				if j%50 == 0 {
					time.Sleep(time.Millisecond)
					os.ReadFile("/proc/self/stat")
				}
			}
		}()
	}
	exec.Command("sleep", "0.05").Run()
	wg.Wait()
	trace.Stop()
	f.Close()
}
