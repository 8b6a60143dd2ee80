package main

import (
	"math"
	"sort"
)

// An open load: the same as workloads/parts/load and load_metrics.
type loadLaws struct {
	arrivals  string
	rate      float64 // requests per second, on average
	burst     uint64
	service   string
	serviceNs uint64 // work of a request, on average
}

// A request before its round.
type drawnRequest struct {
	dueNs     uint64 // from the round's start
	serviceNs uint64
}

// nextExponential draws from the exponential law of mean 1, by inversion.
func (r *quickRandom) nextExponential() float64 {
	return -math.Log((float64(r.next()) + 0.5) * 0x1p-32)
}

// draw returns the requests of a round in the order of their arrival.
func (l loadLaws) draw(requests int, seed, round uint64) []drawnRequest {
	roundSeed := deriveSeed(seed, round)
	distances := newQuickRandom(deriveSeed(roundSeed, 0))
	services := newQuickRandom(deriveSeed(roundSeed, 1))
	together := 1
	if l.arrivals == "bursty" {
		together = int(l.burst)
	}
	meanDistance := 1e9 * float64(together) / l.rate
	due := 0.0
	drawn := make([]drawnRequest, requests)
	for i := range drawn {
		if i%together == 0 {
			distance := meanDistance
			if l.arrivals != "constant" {
				distance *= distances.nextExponential()
			}
			due += distance
		}
		work := 1.0
		if l.service != "constant" {
			work = services.nextExponential()
		}
		drawn[i] = drawnRequest{uint64(due), uint64(math.Round(work * float64(l.serviceNs)))}
	}
	return drawn
}

// The times of a request, in nanoseconds after the round's start.
type requestTimes struct {
	due, submitted, begun, ended uint64
}

// loadFigures requires requests in the order in which they were due.
func loadFigures(requests []requestTimes) map[string]float64 {
	latency := sampleOf(requests, func(t requestTimes) uint64 { return t.ended - t.due })
	uncorrected := sampleOf(requests, func(t requestTimes) uint64 { return t.ended - t.submitted })
	late := sampleOf(requests, func(t requestTimes) uint64 { return t.submitted - t.due })
	service := sampleOf(requests, func(t requestTimes) uint64 { return t.ended - t.begun })
	lastEnd := uint64(1)
	for _, times := range requests {
		if times.ended > lastEnd {
			lastEnd = times.ended
		}
	}
	lastDue := math.Max(float64(requests[len(requests)-1].due), 1)
	return map[string]float64{
		"latency_mean":      latency.mean(),
		"latency_p50":       latency.quantile(0.5),
		"latency_p99":       latency.p99(),
		"latency_p99_9":     latency.p99_9(),
		"uncorrected_mean":  uncorrected.mean(),
		"uncorrected_p50":   uncorrected.quantile(0.5),
		"uncorrected_p99":   uncorrected.p99(),
		"uncorrected_p99_9": uncorrected.p99_9(),
		"late_p99":          late.p99(),
		"service_mean":      service.mean(),
		"offered":           1e9 * float64(len(requests)) / lastDue,
		"achieved":          1e9 * float64(len(requests)) / float64(lastEnd),
		"backlog_growth":    backlogGrowth(requests),
	}
}

// backlogGrowth returns by how much the number of unfinished requests grew after the first quarter of them had arrived,
// as a share of the rest.
func backlogGrowth(requests []requestTimes) float64 {
	if len(requests) < 1000 {
		return math.NaN()
	}
	unfinished := func(time uint64) float64 {
		count := 0
		for _, times := range requests {
			if times.due < time && times.ended >= time {
				count++
			}
		}
		return float64(count)
	}
	quarter := len(requests) / 4
	grown := unfinished(requests[len(requests)-1].due) - unfinished(requests[quarter].due)
	return math.Max(0, grown/float64(len(requests)-quarter))
}

// Times, sorted.
type sample []float64

func sampleOf(requests []requestTimes, of func(requestTimes) uint64) sample {
	times := make(sample, len(requests))
	for i := range requests {
		times[i] = float64(of(requests[i]))
	}
	sort.Float64s(times)
	return times
}

func (s sample) mean() float64 {
	sum := 0.0
	for _, time := range s {
		sum += time
	}
	return sum / float64(len(s))
}

// quantile interpolates between the two nearest times.
func (s sample) quantile(p float64) float64 {
	rank := float64(len(s)-1) * p
	below := int(rank)
	above := below + 1
	if above == len(s) {
		above = below
	}
	return s[below] + (s[above]-s[below])*(rank-float64(below))
}

func (s sample) ifEnough(needed int, p float64) float64 {
	if len(s) < needed {
		return math.NaN()
	}
	return s.quantile(p)
}

func (s sample) p99() float64   { return s.ifEnough(299, 0.99) }
func (s sample) p99_9() float64 { return s.ifEnough(2995, 0.999) }
