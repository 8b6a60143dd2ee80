package main

import (
	"fmt"
	"math"
	"sync"
)

var skynetFields = []field{
	number("leaves", 100000, 1, 100000000),
	{name: "report", choices: []string{"channel", "join"}},
	{name: "fork", choices: []string{"spawn", "structured"}, can: []string{"spawn"}},
}

const (
	skynetChildren = 10
	noSum          = math.MaxUint64
)

// A tree of goroutines, ten below each; a leaf reports its number to its parent, any other goroutine the sum of its
// children.
type skynet struct {
	nothingMore
	tree      leaves
	byChannel bool
	nodes     uint64
	sum       uint64 // written by the root, read after the round
	done      sync.WaitGroup
}

// A run of leaves: the part of the tree below one goroutine.
type leaves struct {
	first, count uint64
}

func (l leaves) children() uint64 {
	return min(l.count, skynetChildren)
}

// As even as possible; all children are equal if the count is a power of ten.
func (l leaves) child(i uint64) leaves {
	children := l.children()
	begin := l.count * i / children
	return leaves{l.first + begin, l.count*(i+1)/children - begin}
}

// The goroutines of the tree, its root and its leaves included.
func (l leaves) nodes() uint64 {
	nodes := uint64(1)
	for i := uint64(0); l.count > 1 && i < l.children(); i++ {
		nodes += l.child(i).nodes()
	}
	return nodes
}

func newSkynet(parameters settings, _ uint64) (workload, *refusal) {
	tree := leaves{0, parameters.number("leaves")}
	// For ten leaves there is one goroutine above them, and so on.
	if refused := requireMemory("skynet:leaves", "leaves and the goroutines above them", tree.count,
		bytesPerGoroutine*skynetChildren/(skynetChildren-1)); refused != nil {
		return nil, refused
	}
	return &skynet{tree: tree, byChannel: parameters.choice("report") == "channel", nodes: tree.nodes()}, nil
}

func (w *skynet) prepare() {
	w.sum = noSum
}

func (w *skynet) run() uint64 {
	w.done.Add(1)
	countSpawn()
	go func() {
		if w.byChannel {
			w.sum = sumByChannel(w.tree)
		} else {
			w.sum = sumByJoin(w.tree)
		}
		w.done.Done()
	}()
	w.done.Wait()
	return w.nodes
}

func sumByChannel(below leaves) uint64 {
	if below.count == 1 {
		return below.first
	}
	sums := make(chan uint64)
	for i := uint64(0); i < below.children(); i++ {
		child := below.child(i)
		countSpawn()
		go func() {
			sums <- sumByChannel(child)
		}()
	}
	sum := uint64(0)
	for i := uint64(0); i < below.children(); i++ {
		sum += <-sums
	}
	return sum
}

func sumByJoin(below leaves) uint64 {
	if below.count == 1 {
		return below.first
	}
	children := &struct {
		sums [skynetChildren]uint64
		done sync.WaitGroup
	}{}
	children.done.Add(int(below.children()))
	for i := uint64(0); i < below.children(); i++ {
		child, sum := below.child(i), &children.sums[i]
		countSpawn()
		go func() {
			*sum = sumByJoin(child)
			children.done.Done()
		}()
	}
	children.done.Wait()
	total := uint64(0)
	for _, sum := range children.sums {
		total += sum
	}
	return total
}

func (w *skynet) verify() string {
	right := w.tree.count * (w.tree.count - 1) / 2
	if w.sum == noSum {
		return "the root reported no sum"
	}
	if w.sum != right {
		return fmt.Sprintf("the leaves' sum is %d, not %d", right, w.sum)
	}
	return ""
}
