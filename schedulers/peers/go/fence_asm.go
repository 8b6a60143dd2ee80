//go:build amd64 || arm64

package main

// fence waits until all instructions before it have ended.
func fence()
