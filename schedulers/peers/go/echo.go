package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sort"
	"sync"
	"syscall"
	"time"
)

var echoFields = []field{
	number("connections", 64, 1, 1000000),
	number("messages", 1000, 1, 100000000),
	number("bytes", 64, 1, 1048576),
}

// TCP connections over loopback with both ends in this process: a goroutine for each end. They stay open from round to round.
type echo struct {
	connections []echoConnection
	messages    uint64
	times       []time.Duration // of each message; written by its client
	round       uint64
	done        sync.WaitGroup

	failing sync.Mutex
	failure string
}

type echoConnection struct {
	client, server          net.Conn
	message, answer, buffer []byte
}

func newEcho(parameters settings, _ uint64) (workload, *refusal) {
	count, size := parameters.number("connections"), parameters.number("bytes")
	if refused := requireMemory("echo:connections", "connections", count, 3*size+2*bytesPerGoroutine); refused != nil {
		return nil, refused
	}
	messages := parameters.number("messages")
	if refused := requireMemory("echo:messages", "messages of each connection", messages, 8*count); refused != nil {
		return nil, refused
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, refuse(kindLimit, "echo: no listener: %v", err)
	}
	defer listener.Close()
	w := &echo{messages: messages, times: make([]time.Duration, count*messages)}
	for i := uint64(0); i < count; i++ {
		client, err := net.Dial("tcp4", listener.Addr().String())
		var server net.Conn
		if err == nil {
			server, err = listener.Accept()
		}
		if err != nil {
			hint := ""
			if errors.Is(err, syscall.EMFILE) {
				hint = fmt.Sprintf("; each needs two file descriptors    ulimit -n %d", 2*(count+100))
			}
			return nil, refuse(kindLimit, "echo:connections: %d of %d connections could be opened: %v%s", i, count, err, hint)
		}
		w.connections = append(w.connections, echoConnection{client, server,
			make([]byte, size), make([]byte, size), make([]byte, size)})
	}
	return w, nil
}

func (w *echo) prepare() {
	for i := range w.times {
		w.times[i] = 0
	}
}

func (w *echo) run() uint64 {
	w.done.Add(2 * len(w.connections))
	for i := range w.connections {
		countSpawn()
		go w.serve(&w.connections[i])
		countSpawn()
		go w.talk(uint64(i))
	}
	w.done.Wait()
	w.round++
	return uint64(len(w.times))
}

func (w *echo) serve(connection *echoConnection) {
	defer w.done.Done()
	for i := uint64(0); i < w.messages; i++ {
		// All of it before the answer: a peer that only writes and one that only writes back would block each other.
		_, err := io.ReadFull(connection.server, connection.buffer)
		if err == nil {
			_, err = connection.server.Write(connection.buffer)
		}
		if err != nil {
			w.fail(connection.server, err)
			return
		}
	}
}

func (w *echo) talk(number uint64) {
	defer w.done.Done()
	connection, first := &w.connections[number], number*w.messages
	begin := time.Now()
	for i := uint64(0); i < w.messages; i++ {
		fillMessage(connection.message, mixSeed(w.round*uint64(len(w.times))+first+i))
		_, err := connection.client.Write(connection.message)
		if err == nil {
			_, err = io.ReadFull(connection.client, connection.answer)
		}
		if err == nil && !bytes.Equal(connection.message, connection.answer) {
			err = errors.New("an answer differs from its message")
		}
		if err != nil {
			w.fail(connection.client, err)
			return
		}
		end := time.Now()
		w.times[first+i] = end.Sub(begin)
		begin = end
	}
}

// Eight bytes at a time, each different.
func fillMessage(message []byte, tag uint64) {
	var word [8]byte
	for at := 0; at < len(message); at += len(word) {
		binary.LittleEndian.PutUint64(word[:], tag+uint64(at))
		copy(message[at:], word[:])
	}
}

// fail keeps the first failure, and closes the connection, so that its peer does not wait forever.
func (w *echo) fail(connection net.Conn, err error) {
	connection.Close()
	w.failing.Lock()
	defer w.failing.Unlock()
	if w.failure == "" {
		w.failure = err.Error()
	}
}

func (w *echo) verify() string {
	if w.failure != "" {
		return w.failure
	}
	missing := 0
	for _, time := range w.times {
		if time == 0 {
			missing++
		}
	}
	if missing > 0 {
		return fmt.Sprintf("%d messages have no answer", missing)
	}
	return ""
}

func (w *echo) figures() map[string]float64 {
	times := make(sample, len(w.times))
	for i, time := range w.times {
		times[i] = float64(time)
	}
	sort.Float64s(times)
	return map[string]float64{"round_trip_p50": times.quantile(0.5), "round_trip_p99": times.p99()}
}
