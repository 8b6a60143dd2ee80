package main

import (
	"math/bits"
	"sort"
)

// The patterns of Task Bench, in the order of workloads/parts/task_graph.hpp: on which points of the step before a point
// depends.
var patterns = []string{"trivial", "no_comm", "stencil_1d", "stencil_1d_periodic", "dom", "tree", "fft", "all_to_all",
	"nearest", "spread", "random_nearest"}

// Tasks in steps. Task t * width + i is point i of step t. Not changed once it is made.
type taskGraph struct {
	pattern             string
	width, steps, radix uint64
	seed                uint64 // of random_nearest
	tasks               uint64
	needs               []uint32 // of each task: on how many it depends
	begins              []uint32 // of each task in dependents, and the end
	dependents          []uint32 // by task
}

func (g *taskGraph) make() {
	places := g.width * g.steps
	g.needs = make([]uint32, places)
	g.begins = make([]uint32, places+1)
	for step := uint64(0); step < g.steps; step++ {
		g.tasks += g.pointsOf(step)
	}
	g.forEachEdge(func(from, to uint64) {
		g.begins[from+1]++
		g.needs[to]++
	})
	for i := uint64(1); i <= places; i++ {
		g.begins[i] += g.begins[i-1]
	}
	g.dependents = make([]uint32, g.begins[places])
	next := append([]uint32(nil), g.begins[:places]...)
	g.forEachEdge(func(from, to uint64) {
		g.dependents[next[from]] = uint32(to)
		next[from]++
	})
}

func (g *taskGraph) forEachEdge(visit func(from, to uint64)) {
	for step := uint64(1); step < g.steps; step++ {
		for point := uint64(0); point < g.pointsOf(step); point++ {
			for _, from := range g.pointsBefore(step, point) {
				visit((step-1)*g.width+from, step*g.width+point)
			}
		}
	}
}

// A tree has fewer tasks than places.
func (g *taskGraph) exists(task uint64) bool {
	return task%g.width < g.pointsOf(task/g.width)
}

func (g *taskGraph) dependentsOf(task uint64) []uint32 {
	return g.dependents[g.begins[task]:g.begins[task+1]]
}

// mostDependences is known before the graph is made: for a check of memory.
func (g *taskGraph) mostDependences() uint64 {
	each := uint64(3)
	switch g.pattern {
	case "all_to_all":
		each = g.width
	case "nearest", "spread", "random_nearest":
		each = min(g.radix, g.width) + 1
	}
	return g.width * g.steps * each
}

func (g *taskGraph) pointsOf(step uint64) uint64 {
	if g.pattern != "tree" || step >= 31 {
		return g.width
	}
	return min(g.width, 1<<step)
}

func (g *taskGraph) pointsBefore(step, point uint64) []uint64 {
	first := int64(point) - int64(g.radix/2)
	last := first + int64(g.radix) - 1
	switch g.pattern {
	case "no_comm":
		return []uint64{point}
	case "stencil_1d":
		return g.between(int64(point)-1, int64(point)+1)
	case "stencil_1d_periodic":
		return unique([]uint64{(point + g.width - 1) % g.width, point, (point + 1) % g.width})
	case "dom":
		return g.between(int64(point)-1, int64(point))
	case "tree":
		if g.pointsOf(step) > g.pointsOf(step-1) {
			return []uint64{point / 2}
		}
		return []uint64{point}
	case "fft":
		stages := uint64(1)
		if g.width >= 2 {
			stages = uint64(bits.Len64(g.width)) - 1
		}
		distance := uint64(1) << ((step - 1) % stages)
		points := []uint64{point}
		if point >= distance {
			points = append(points, point-distance)
		}
		if point+distance < g.width {
			points = append(points, point+distance)
		}
		return points
	case "all_to_all":
		return g.between(0, int64(g.width)-1)
	case "nearest":
		return g.between(first, last)
	case "spread":
		var points []uint64
		for i := uint64(0); i < min(g.radix, g.width); i++ {
			offset := i * g.width / g.radix
			if i > 0 {
				offset += step
			}
			points = append(points, (point+offset)%g.width)
		}
		return unique(points)
	case "random_nearest":
		var points []uint64
		for _, other := range g.between(first, last) {
			if other == point || mixSeed(mixSeed(g.seed+step)+point*g.width+other)%2 != 0 {
				points = append(points, other)
			}
		}
		return points
	}
	return nil // trivial
}

// between returns the points from low to high that a step has.
func (g *taskGraph) between(low, high int64) []uint64 {
	var points []uint64
	for point := low; point <= high; point++ {
		if point >= 0 && point < int64(g.width) {
			points = append(points, uint64(point))
		}
	}
	return points
}

func unique(points []uint64) []uint64 {
	sort.Slice(points, func(i, j int) bool { return points[i] < points[j] })
	kept := points[:1]
	for _, point := range points[1:] {
		if point != kept[len(kept)-1] {
			kept = append(kept, point)
		}
	}
	return kept
}
