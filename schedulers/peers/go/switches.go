package main

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"runtime/trace"
)

// switchCounter counts in the runtime's execution trace how often a thread switched to a goroutine. It reads the trace
// while it is written and stores none of it.
//
// The histogram /sched/latencies:seconds is no alternative: Go 1.19 samples one switch of eight in it, and does not end a
// sample that began at a goroutine's end, so that the next goroutine in the same place is counted too often. If each
// goroutine runs once, eight times the samples are 15/8 of the switches.
type switchCounter struct {
	begun    bool // the header has been read
	unknown  bool // a trace that this cannot read
	switches uint64
	others   map[uint64]bool // goroutines that do not belong to the round
}

const (
	// Other releases have another format.
	traceHeader = "go 1.19 trace\x00\x00\x00"

	// The kinds of events, from runtime/trace.go. Those of the collector's workers are of another kind.
	eventGoStart      = 14 // time, goroutine, sequence number
	eventGoWaiting    = 31 // time, goroutine: it was there before
	eventGoInSyscall  = 32 // likewise
	eventString       = 37 // number, length, text
	eventGoStartLocal = 38 // time, goroutine
)

// countSwitches calls the function and returns how often a thread switched to a goroutine meanwhile. False: unknown.
func countSwitches(round func()) (uint64, bool) {
	counter := switchCounter{others: map[uint64]bool{goroutineNumber(): true}}
	if err := trace.Start(&counter); err != nil {
		round()
		return 0, false
	}
	round()
	trace.Stop() // returns after all events are written
	return counter.switches, counter.begun && !counter.unknown
}

// Write takes whole events: the runtime hands out its buffers, and an event is in one of them.
func (c *switchCounter) Write(part []byte) (int, error) {
	if !c.begun {
		c.begun = true
		c.unknown = string(part) != traceHeader
		c.others[goroutineNumber()] = true // it reads the trace
		return len(part), nil
	}
	for rest := part; len(rest) > 0 && !c.unknown; {
		rest = c.event(rest)
	}
	return len(part), nil
}

// event reads the first event and returns what comes after it.
func (c *switchCounter) event(part []byte) []byte {
	kind, form := part[0]&0x3f, part[0]>>6
	rest := part[1:]
	number := func() uint64 {
		value, size := binary.Uvarint(rest)
		if size <= 0 {
			c.unknown = true
			rest = nil
			return 0
		}
		rest = rest[size:]
		return value
	}
	skip := func(bytes uint64) {
		if bytes > uint64(len(rest)) {
			c.unknown = true
			bytes = uint64(len(rest))
		}
		rest = rest[bytes:]
	}
	switch {
	case kind == eventString:
		number()
		skip(number())
	case form == 3: // three numbers or more behind their length in bytes
		skip(number())
	default:
		number() // the time
		for left := form; left > 0; left-- {
			if value := number(); left == form {
				c.happened(kind, value)
			}
		}
	}
	return rest
}

func (c *switchCounter) happened(kind byte, goroutine uint64) {
	switch kind {
	case eventGoWaiting, eventGoInSyscall:
		c.others[goroutine] = true
	case eventGoStart, eventGoStartLocal:
		if !c.others[goroutine] {
			c.switches++
		}
	}
}

// goroutineNumber returns the number of the calling goroutine, or 0.
func goroutineNumber() uint64 {
	var text [64]byte
	words := bytes.Fields(text[:runtime.Stack(text[:], false)]) // "goroutine 18 [running]:"
	number := uint64(0)
	if len(words) > 1 {
		for _, digit := range words[1] {
			number = number*10 + uint64(digit-'0')
		}
	}
	return number
}
