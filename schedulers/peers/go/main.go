// An agent of the Go runtime, with the protocol of docs/agent-protocol.md.
package main

import (
	"bufio"
	"io"
	"os"
)

// The limit of a line in bytes, without its end.
const longestLine = 16 << 20

func main() {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	agent := newAgent(os.Stdout)
	if line := os.Getenv(openVariable); line != "" {
		os.Unsetenv(openVariable)
		agent.answer([]byte(line), false)
	}
	for {
		line, tooLong, err := readLine(in)
		if len(line) > 0 || tooLong || err == nil {
			agent.answer(line, tooLong)
		}
		if err != nil {
			return
		}
	}
}

// readLine returns the next line without its end. It skips a line that is too long and returns nothing.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		end := len(part)
		if err == nil {
			end--
		}
		if tooLong = tooLong || len(line)+end > longestLine; tooLong {
			line = nil
		} else {
			line = append(line, part[:end]...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			os.Stderr.WriteString("stdin: " + err.Error() + "\n")
		}
		return line, tooLong, err
	}
}
