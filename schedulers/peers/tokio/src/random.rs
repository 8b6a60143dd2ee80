//! Random numbers: those of src/base/random.hpp, bit for bit.

/// One step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub fn mix_seed(seed: u64) -> u64 {
    let seed = seed.wrapping_add(0x9e3779b97f4a7c15);
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d049bb133111eb);
    seed ^ (seed >> 31)
}

/// The seed of one stream of a run.
pub fn derive_seed(run_seed: u64, stream: u64) -> u64 {
    mix_seed(mix_seed(run_seed) ^ stream)
}

/// xorshift64* (Vigna, 2016).
pub struct QuickRandom(u64);

impl QuickRandom {
    pub fn new(seed: u64) -> Self {
        QuickRandom(mix_seed(seed) | 1)
    }

    pub fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 32) as u32
    }
}
