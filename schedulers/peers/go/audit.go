package main

import "sync/atomic"

// Counting in a round that is an audit. In any other round it costs a branch on a plain bool, which is written while no
// goroutine of a round exists.
var audit struct {
	on          bool
	spawns      atomic.Uint64
	inlineCalls atomic.Uint64
}

// countSpawn is called before each go statement of a workload.
func countSpawn() {
	if audit.on {
		audit.spawns.Add(1)
	}
}

func countInlineCall() {
	if audit.on {
		audit.inlineCalls.Add(1)
	}
}

// audited calls the function and returns the counts.
func audited(round func()) map[string]uint64 {
	audit.spawns.Store(0)
	audit.inlineCalls.Store(0)
	audit.on = true
	switches, known := countSwitches(round)
	audit.on = false
	counts := map[string]uint64{
		"spawns":       audit.spawns.Load(),
		"inline_calls": audit.inlineCalls.Load(),
	}
	if known {
		counts["switches"] = switches
	}
	return counts
}
