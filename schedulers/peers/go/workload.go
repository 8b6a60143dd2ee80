package main

// A workload that is open. A round is prepare (not timed), run (timed) and verify (not timed). Each does the same work
// with the same parameters as the file of its name in workloads/.
type workload interface {
	prepare()
	// Returns the number of operations, after all goroutines that it started have ended.
	run() uint64
	// Returns "" or what is wrong with the answer of the last round.
	verify() string
	// Of the last round; nil if there are none, NaN if the round is too small.
	figures() map[string]float64
}

// The parts that most workloads do not need.
type nothingMore struct{}

func (nothingMore) prepare()                    {}
func (nothingMore) figures() map[string]float64 { return nil }

type workloadKind struct {
	name      string
	operation string // what is counted, singular
	fields    []field
	// Called with the parameters and the seed of all random choices.
	make func(settings, uint64) (workload, *refusal)
	// Threads that run Go code besides the workers.
	outside int
}

var workloads = []workloadKind{
	{"pingpong", "round trip", pingPongFields, newPingPong, 0},
	{"yield", "yield", yieldFields, newYield, 0},
	{"spawn_join", "task", spawnJoinFields, newSpawnJoin, 0},
	{"chained_spawn", "link", chainedSpawnFields, newChainedSpawn, 0},
	{"skynet", "fiber", skynetFields, newSkynet, 0},
	{"fib", "fork", fibFields, newFib, 0},
	{"mutex", "section", mutexFields, newMutex, 0},
	{"channel_mpmc", "message", channelMpmcFields, newChannelMpmc, 0},
	{"million", "fiber", millionFields, newMillion, 0},
	{"open_loop", "request", openLoopFields, newOpenLoop, 1},
	{"timers", "wait", timersFields, newTimers, 0},
	{"echo", "round trip", echoFields, newEcho, 0},
	{"blocking_syscall", "call", blockingSyscallFields, newBlockingSyscall, 0},
	{"greedy", "wake-up", greedyFields, newGreedy, 0},
	{"taskgraph", "task", taskgraphFields, newTaskgraph, 0},
}

func findWorkload(name string) *workloadKind {
	for i := range workloads {
		if workloads[i].name == name {
			return &workloads[i]
		}
	}
	return nil
}

// Keeps data of different goroutines in different cache lines.
const cacheLine = 64
