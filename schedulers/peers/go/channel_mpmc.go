package main

import (
	"fmt"
	"sync"
)

var channelMpmcFields = []field{
	number("producers", 4, 1, 1000000),
	number("consumers", 4, 1, 1000000),
	number("messages", 200000, 1, 1000000000),
	number("capacity", 64, 0, 100000000),
}

// Many producers and many consumers on one channel, closed when all messages are sent.
type channelMpmc struct {
	producers, messages, capacity uint64

	right     received   // what all consumers together must receive
	consumers []received // each written by its consumer at its end
	producing sync.WaitGroup
	consuming sync.WaitGroup
}

// What a consumer has received. The sum does not detect 1 and 4 in place of 2 and 3; the mixed numbers do.
type received struct {
	messages, sum, mixed uint64
	_                    [cacheLine - 24]byte
}

func (r *received) add(message uint64) {
	r.messages++
	r.sum += message
	r.mixed ^= mixSeed(message)
}

func newChannelMpmc(parameters settings, _ uint64) (workload, *refusal) {
	w := &channelMpmc{
		producers: parameters.number("producers"),
		messages:  parameters.number("messages"),
		capacity:  parameters.number("capacity"),
	}
	consumers := parameters.number("consumers")
	for _, need := range []struct {
		field, things    string
		count, bytesEach uint64
	}{
		{"channel_mpmc:producers", "suspended goroutines", w.producers, bytesPerGoroutine},
		{"channel_mpmc:consumers", "suspended goroutines", consumers, bytesPerGoroutine + cacheLine},
		{"channel_mpmc:capacity", "messages in a buffer", w.capacity, 8},
	} {
		if refused := requireMemory(need.field, need.things, need.count, need.bytesEach); refused != nil {
			return nil, refused
		}
	}
	w.consumers = make([]received, consumers)
	for message := uint64(0); message < w.messages; message++ {
		w.right.add(message)
	}
	return w, nil
}

func (w *channelMpmc) prepare() {
	for i := range w.consumers {
		w.consumers[i] = received{}
	}
}

func (w *channelMpmc) run() uint64 {
	channel := make(chan uint64, w.capacity)
	w.producing.Add(int(w.producers))
	w.consuming.Add(len(w.consumers))
	for i := uint64(0); i < w.producers; i++ {
		countSpawn()
		go w.produce(channel, w.firstOf(i), w.firstOf(i+1))
	}
	for i := range w.consumers {
		countSpawn()
		go w.consume(channel, &w.consumers[i])
	}
	w.producing.Wait()
	close(channel)
	w.consuming.Wait()
	return w.messages
}

// The first message of producer i. The numbers of messages of two producers differ by at most one.
func (w *channelMpmc) firstOf(i uint64) uint64 {
	return w.messages * i / w.producers
}

func (w *channelMpmc) produce(channel chan<- uint64, begin, end uint64) {
	for message := begin; message < end; message++ {
		channel <- message
	}
	w.producing.Done()
}

func (w *channelMpmc) consume(channel <-chan uint64, consumer *received) {
	var got received
	for message := range channel {
		got.add(message)
	}
	*consumer = got
	w.consuming.Done()
}

func (w *channelMpmc) verify() string {
	var all received
	for i := range w.consumers {
		all.messages += w.consumers[i].messages
		all.sum += w.consumers[i].sum
		all.mixed ^= w.consumers[i].mixed
	}
	if all.messages != w.right.messages {
		return fmt.Sprintf("%d messages were received of %d", all.messages, w.right.messages)
	}
	if all.sum != w.right.sum || all.mixed != w.right.mixed {
		return "some messages were received twice, and others were not received"
	}
	return ""
}

func (w *channelMpmc) figures() map[string]float64 { return nil }
