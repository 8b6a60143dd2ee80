package main

import (
	"os"
	"runtime/trace"
	"sync"
	"time"
)

func spin(d time.Duration) { for t := time.Now(); time.Since(t) < d; { } }

func worker(in, out chan int, wg *sync.WaitGroup) {
	for v := range in { spin(20 * time.Microsecond); out <- v + 1 }
	wg.Done()
}

func main() {
	f, _ := os.Create(os.Args[1])
	trace.Start(f)
	in, out := make(chan int), make(chan int, 4)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ { wg.Add(1); go worker(in, out, &wg) }
	go func() { for i := 0; i < 200; i++ { in <- i }; close(in) }()
	sum := 0
	for i := 0; i < 200; i++ { sum += <-out }
	wg.Wait()
	time.Sleep(2 * time.Millisecond)
	b, _ := os.ReadFile("/proc/self/stat")
	_ = b
	trace.Stop()
	f.Close()
}
