package main

// Random numbers: those of src/base/random.hpp, bit for bit.

// One step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mixSeed(seed uint64) uint64 {
	seed += 0x9e3779b97f4a7c15
	seed = (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
	seed = (seed ^ seed>>27) * 0x94d049bb133111eb
	return seed ^ seed>>31
}

// deriveSeed returns the seed of one stream of a run.
func deriveSeed(runSeed, stream uint64) uint64 {
	return mixSeed(mixSeed(runSeed) ^ stream)
}

// xorshift64* (Vigna, 2016).
type quickRandom struct {
	state uint64
}

func newQuickRandom(seed uint64) quickRandom {
	return quickRandom{mixSeed(seed) | 1}
}

func (r *quickRandom) next() uint32 {
	r.state ^= r.state >> 12
	r.state ^= r.state << 25
	r.state ^= r.state >> 27
	return uint32(r.state * 0x2545f4914f6cdd1d >> 32)
}
