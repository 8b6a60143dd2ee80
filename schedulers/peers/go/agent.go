package main

import (
	"encoding/json"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

const (
	protocol      = 1
	schedulerName = "go"
	// The largest number that the runtime uses.
	mostWorkers = 1024
	// The exit code for a wrong answer.
	exitWrongAnswer = 4
)

var configFields = []field{
	number("workers", 0, 0, mostWorkers), // 0: the CPUs that the process may use
	number("gc_percent", 100, 1, 1000000),
	{name: "async_preempt", choices: []string{"on", "off"}},
}

// What a field is for Go.
var goNames = map[string]string{
	"workers": "GOMAXPROCS", "gc_percent": "GOGC", "async_preempt": "off is GODEBUG=asyncpreemptoff=1",
}

type agent struct {
	out  *json.Encoder
	open workload // nil: none
}

func newAgent(out io.Writer) *agent {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &agent{out: encoder}
}

func (a *agent) send(reply any) {
	if err := a.out.Encode(reply); err != nil {
		os.Stderr.WriteString("stdout: " + err.Error() + "\n")
		os.Exit(1)
	}
}

func (a *agent) answer(line []byte, tooLong bool) {
	if refused := a.handle(line, tooLong); refused != nil {
		a.send(errorReply{"error", refused.kind, refused.message, refused.details})
		if refused.kind == kindFailed {
			os.Exit(exitWrongAnswer)
		}
	}
}

func (a *agent) handle(line []byte, tooLong bool) *refusal {
	if tooLong {
		return refuse(kindInput, "a line of more than 16 MiB")
	}
	asked, refused := parseRequest(line)
	if refused != nil {
		return refused
	}
	asked.line = line
	switch asked.kind {
	case "hello":
		return a.hello(asked)
	case "open":
		return a.openWorkload(asked)
	case "round":
		return a.round(asked)
	default:
		return a.close()
	}
}

func (a *agent) hello(asked request) *refusal {
	if asked.protocol != protocol {
		return refuse(kindInput, "this agent speaks protocol %d, not %d", protocol, asked.protocol)
	}
	reply := helloReply{
		Reply: "hello", Protocol: protocol, Runtime: "go", Version: runtime.Version(), Tasks: "goroutines",
		Schedulers: []string{schedulerName}, Settings: map[string]string{},
	}
	for _, f := range configFields {
		reply.Settings[f.name] = goNames[f.name] + ": " + f.describe()
	}
	for _, kind := range workloads {
		reply.Workloads = append(reply.Workloads, kind.name)
	}
	a.send(reply)
	return nil
}

func (a *agent) openWorkload(asked request) *refusal {
	if a.open != nil {
		return refuse(kindInput, "something is open: close it first")
	}
	if asked.scheduler != schedulerName {
		return refuse(kindUnsupported, "no scheduler %q here", asked.scheduler)
	}
	kind := findWorkload(asked.workload)
	if kind == nil {
		return refuse(kindUnsupported, "no workload %q here", asked.workload)
	}
	config, refused := settingsOf(configFields, asked.config, "config")
	if refused != nil {
		return refused
	}
	parameters, refused := settingsOf(kind.fields, asked.parameters, "parameters")
	if refused != nil {
		return refused
	}
	if refused := usePreemption(config.choice("async_preempt"), asked.line); refused != nil {
		return refused
	}
	if config.number("workers") == 0 {
		config.set("workers", min(uint64(runtime.NumCPU()), mostWorkers))
	}
	opened, refused := kind.make(parameters, asked.seed)
	if refused != nil {
		return refused
	}
	a.open = opened
	runtime.GOMAXPROCS(int(config.number("workers")) + kind.outside)
	debug.SetGCPercent(int(config.number("gc_percent")))
	a.send(openReply{"open", config, parameters, kind.operation, config.number("workers")})
	return nil
}

// openVariable has the line of the request that a program which replaces itself answers first.
const openVariable = "SCHEDBENCH_OPEN"

// usePreemption sets GODEBUG=asyncpreemptoff. The runtime reads it when it starts, so the program replaces itself if it was started
// with another value. Nothing else is lost: nothing is open, and the next request comes after the reply.
func usePreemption(preempt string, line []byte) *refusal {
	const key = "asyncpreemptoff="
	var others []string
	isOff := false
	for _, setting := range strings.Split(os.Getenv("GODEBUG"), ",") {
		if strings.HasPrefix(setting, key) {
			isOff = setting == key+"1"
		} else if setting != "" {
			others = append(others, setting)
		}
	}
	if (preempt == "off") == isOff {
		return nil
	}
	if preempt == "off" {
		others = append(others, key+"1")
	}
	os.Setenv("GODEBUG", strings.Join(others, ","))
	os.Setenv(openVariable, string(line))
	err := syscall.Exec("/proc/self/exe", os.Args, os.Environ())
	return refuse(kindLimit, "the program cannot start itself again: %v", err)
}

func (a *agent) round(asked request) *refusal {
	if a.open == nil {
		return refuse(kindInput, "nothing is open")
	}
	reply := roundReply{Reply: "round"}
	a.open.prepare()
	measure := func() {
		cpu := processCPUNs()
		start := time.Now()
		reply.Operations = a.open.run()
		reply.WallNs = time.Since(start).Nanoseconds()
		reply.CPUNs = processCPUNs() - cpu
	}
	if asked.audit {
		reply.Counts = audited(measure)
	} else {
		measure()
	}
	if problem := a.open.verify(); problem != "" {
		return refuse(kindFailed, "%s: %s", asked.name, problem)
	}
	reply.PeakRSSBytes = peakResidentBytes()
	reply.Figures = figuresOf(a.open.figures())
	a.send(reply)
	return nil
}

func (a *agent) close() *refusal {
	if a.open == nil {
		return refuse(kindInput, "nothing is open")
	}
	a.open = nil
	// The next session begins without the garbage of this one.
	debug.FreeOSMemory()
	a.send(closeReply{"close"})
	return nil
}
