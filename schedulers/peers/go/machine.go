package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// processCPUNs returns the CPU time of all threads, user and system. Not getrusage, which counts in microseconds.
func processCPUNs() int64 {
	const clockProcessCPUTimeID = 2
	var now syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockProcessCPUTimeID,
		uintptr(unsafe.Pointer(&now)), 0)
	if errno != 0 {
		panic("clock_gettime: " + errno.Error())
	}
	return now.Nano()
}

// setTimerSlack sets how late the kernel may end sleeps of this thread; 0: the default.
func setTimerSlack(ns uintptr) {
	const prSetTimerSlack = 29
	syscall.RawSyscall(syscall.SYS_PRCTL, prSetTimerSlack, ns, 0)
}

func residentBytes() uint64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages := bytes.Fields(text)
	if len(pages) < 2 {
		return 0
	}
	resident, _ := strconv.ParseUint(string(pages[1]), 10, 64)
	return resident * uint64(os.Getpagesize())
}

// peakResidentBytes does not use getrusage, whose value includes the memory of the process that forked this one.
func peakResidentBytes() uint64 {
	kilobytes, _ := valueIn("/proc/self/status", "VmHWM:")
	return kilobytes * 1024
}

// valueIn returns the number behind `name` in a file of lines "name number"; false if there is none. The name "" is for a
// file that contains only a number.
func valueIn(path, name string) (uint64, bool) {
	text, _ := os.ReadFile(path)
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if name != "" && len(words) > 1 && words[0] == name {
			words = words[1:]
		} else if name != "" || len(words) == 0 {
			continue
		}
		value, err := strconv.ParseUint(words[0], 10, 64)
		return value, err == nil
	}
	return 0, false
}

// availableMemoryBytes returns the free memory of the machine or, if that is less, of the control group of a container.
func availableMemoryBytes() uint64 {
	available, _ := valueIn("/proc/meminfo", "MemAvailable:")
	available *= 1024
	// Version 2, version 1: limit, usage, statistics and the name of the inactive files in them.
	for _, group := range [][4]string{
		{"memory.max", "memory.current", "memory.stat", "inactive_file"},
		{"memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"},
	} {
		const folder = "/sys/fs/cgroup/"
		limit, limited := valueIn(folder+group[0], "")
		used, known := valueIn(folder+group[1], "")
		if !limited || !known {
			continue
		}
		cache, _ := valueIn(folder+group[2], group[3])
		if free := limit - min(limit, used-min(used, cache)); free < available {
			available = free
		}
	}
	return available
}

func min(a, b uint64) uint64 {
	if a < b {
		return a
	}
	return b
}

// Memory of a suspended goroutine: the smallest stack, 2 KiB, and the runtime's record of it.
const bytesPerGoroutine = 2048 + 640

// requireMemory refuses what would not fit into RAM: the kernel would kill the process without a message. `field` is as on
// the command line, "million:fibers".
func requireMemory(field, things string, count, bytesEach uint64) *refusal {
	available := availableMemoryBytes()
	if count <= available/bytesEach {
		return nil
	}
	return refuse(kindLimit, "%d %s need about %.0f MB of RAM, but %d MB are free    the most that fit: %s=%d", count, things,
		float64(count)*float64(bytesEach)/1e6, available/1_000_000, field, available/bytesEach)
}
