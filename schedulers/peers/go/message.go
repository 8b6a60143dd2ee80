package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// The kinds of the protocol's errors.
type refusal struct {
	kind    string
	message string
	details []string
}

func (r *refusal) Error() string { return r.message }

func refuse(kind, format string, arguments ...any) *refusal {
	return &refusal{kind: kind, message: fmt.Sprintf(format, arguments...)}
}

const (
	kindUnsupported = "unsupported"
	kindInput       = "input"
	kindLimit       = "limit"
	kindFailed      = "failed"
)

// A request of any kind; a kind has only some of these.
type request struct {
	kind       string
	protocol   uint64
	scheduler  string
	config     map[string]json.RawMessage
	workload   string
	parameters map[string]json.RawMessage
	seed       uint64
	name       string
	audit      bool
	line       []byte // as it came
}

// requestReader reads the keys of an object and records which ones were requested.
type requestReader struct {
	object map[string]json.RawMessage
	known  map[string]bool
	wrong  *refusal // the first error
}

func (r *requestReader) complain(key, complaint string) {
	if r.wrong == nil {
		r.wrong = refuse(kindInput, "request: \"%s\" %s", key, complaint)
	}
}

// read returns false if the key is not there.
func (r *requestReader) read(key string, required bool) (json.RawMessage, bool) {
	r.known[key] = true
	value, there := r.object[key]
	if !there && required {
		r.complain(key, "is missing")
	}
	return value, there
}

func (r *requestReader) text(key, fallback string, required bool) string {
	value, there := r.read(key, required)
	if !there {
		return fallback
	}
	text := ""
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		r.complain(key, "is not a string")
	}
	return text
}

func (r *requestReader) count(key string, most uint64, required bool) uint64 {
	value, there := r.read(key, required)
	if !there {
		return 0
	}
	number, err := strconv.ParseUint(string(value), 10, 64)
	if err != nil || number > most {
		r.complain(key, "is not a whole number from 0 on, or is too large")
	}
	return number
}

func (r *requestReader) flag(key string) bool {
	value, there := r.read(key, false)
	if there && string(value) != "true" && string(value) != "false" {
		r.complain(key, "is not true or false")
	}
	return string(value) == "true"
}

func (r *requestReader) objectOrEmpty(key string) map[string]json.RawMessage {
	value, there := r.read(key, false)
	if !there {
		return nil
	}
	object := map[string]json.RawMessage{}
	if value[0] != '{' || json.Unmarshal(value, &object) != nil {
		r.complain(key, "is not an object")
	}
	return object
}

func parseRequest(line []byte) (request, *refusal) {
	r := requestReader{known: map[string]bool{}}
	if !utf8.Valid(line) || json.Unmarshal(line, &r.object) != nil || r.object == nil {
		return request{}, refuse(kindInput, "not a JSON object: %.200q", line)
	}
	parsed := request{kind: r.text("request", "", true)}
	if r.wrong != nil {
		return parsed, r.wrong
	}
	switch parsed.kind {
	case "hello":
		parsed.protocol = r.count("protocol", 1_000_000, true)
	case "open":
		parsed.scheduler = r.text("scheduler", "", true)
		parsed.config = r.objectOrEmpty("config")
		parsed.workload = r.text("workload", "", true)
		parsed.parameters = r.objectOrEmpty("parameters")
		parsed.seed = r.count("seed", math.MaxUint64, true)
		// The agent cannot distinguish a goroutine that hangs from one that works; the caller has its own limit.
		r.count("timeout_ns", math.MaxInt64, false)
	case "round":
		parsed.name = r.text("name", "a round", false)
		parsed.audit = r.flag("audit")
	case "close":
	default:
		return parsed, refuse(kindInput, "unknown request %q", parsed.kind)
	}
	// A misspelt key would have no effect.
	for key := range r.object {
		if !r.known[key] {
			return parsed, refuse(kindInput, "request %s: unknown key %q", parsed.kind, key)
		}
	}
	return parsed, r.wrong
}

// The replies, as their JSON.

type helloReply struct {
	Reply      string   `json:"reply"`
	Protocol   int      `json:"protocol"`
	Runtime    string   `json:"runtime"`
	Version    string   `json:"version"`
	Tasks      string   `json:"tasks"`
	Schedulers []string `json:"schedulers"`
	Workloads  []string `json:"workloads"`
	// The values of each field of the config, by its name.
	Settings map[string]string `json:"settings"`
}

type openReply struct {
	Reply      string   `json:"reply"`
	Config     settings `json:"config"`
	Parameters settings `json:"parameters"`
	Operation  string   `json:"operation"`
	Workers    uint64   `json:"workers"`
}

type roundReply struct {
	Reply        string            `json:"reply"`
	WallNs       int64             `json:"wall_ns"`
	CPUNs        int64             `json:"cpu_ns"`
	Operations   uint64            `json:"operations"`
	PeakRSSBytes uint64            `json:"peak_rss_bytes"`
	Figures      map[string]any    `json:"figures,omitempty"`
	Counts       map[string]uint64 `json:"counts,omitempty"`
}

// figuresOf puts null in place of NaN, which JSON does not have.
func figuresOf(values map[string]float64) map[string]any {
	figures := map[string]any{}
	for name, value := range values {
		if math.IsNaN(value) {
			figures[name] = nil
		} else {
			figures[name] = value
		}
	}
	return figures
}

type closeReply struct {
	Reply string `json:"reply"`
}

type errorReply struct {
	Reply   string   `json:"reply"`
	Kind    string   `json:"kind"`
	Message string   `json:"message"`
	Details []string `json:"details,omitempty"`
}
