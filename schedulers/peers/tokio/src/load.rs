//! An open load: the same as workloads/parts/load and load_metrics.

use crate::random::{derive_seed, QuickRandom};
use crate::workload::Figures;

#[derive(PartialEq)]
pub enum Arrivals {
    Constant,
    Poisson,
    Bursty,
}

pub struct Laws {
    pub arrivals: Arrivals,
    /// Requests per second, on average.
    pub rate: f64,
    pub burst: u64,
    pub service_is_constant: bool,
    /// The work of a request, on average.
    pub service_ns: u64,
}

/// A request before its round.
pub struct Drawn {
    /// From the round's start.
    pub due_ns: u64,
    pub service_ns: u64,
}

/// Draws from the exponential law of mean 1, by inversion.
struct Exponential(QuickRandom);

impl Exponential {
    fn next(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 32) as f64;
        -((f64::from(self.0.next()) + 0.5) * STEP).ln()
    }
}

impl Laws {
    /// Draws the requests of round number `round`, in the order of their arrival.
    pub fn draw(&self, requests: u64, seed: u64, round: u64) -> Vec<Drawn> {
        let round_seed = derive_seed(seed, round);
        let mut distances = Exponential(QuickRandom::new(derive_seed(round_seed, 0)));
        let mut services = Exponential(QuickRandom::new(derive_seed(round_seed, 1)));
        let together = if self.arrivals == Arrivals::Bursty { self.burst } else { 1 };
        let mean_distance = 1e9 * together as f64 / self.rate;
        let mut due = 0.0;
        let draw_one = |i| {
            if i % together == 0 {
                due += match self.arrivals {
                    Arrivals::Constant => mean_distance,
                    _ => mean_distance * distances.next(),
                };
            }
            let work = if self.service_is_constant { 1.0 } else { services.next() };
            Drawn { due_ns: due as u64, service_ns: (work * self.service_ns as f64).round() as u64 }
        };
        (0..requests).map(draw_one).collect()
    }
}

/// The times of a request, in nanoseconds after the round's start.
pub struct Times {
    pub due: u64,
    pub submitted: u64,
    pub begun: u64,
    pub ended: u64,
}

/// The figures of requests, which are in the order in which they were due.
pub fn figures(requests: &[Times]) -> Figures {
    let latency = Sample::new(requests.iter().map(|times| times.ended - times.due));
    let uncorrected = Sample::new(requests.iter().map(|times| times.ended - times.submitted));
    let late = Sample::new(requests.iter().map(|times| times.submitted - times.due));
    let service = Sample::new(requests.iter().map(|times| times.ended - times.begun));
    let last_due = requests[requests.len() - 1].due;
    let last_end = requests.iter().map(|times| times.ended).max().unwrap_or(0);
    let per_second = |ns: u64| 1e9 * requests.len() as f64 / ns.max(1) as f64;
    vec![
        ("latency_mean", latency.mean()),
        ("latency_p50", latency.quantile(0.5)),
        ("latency_p99", latency.p99()),
        ("latency_p99_9", latency.p99_9()),
        ("uncorrected_mean", uncorrected.mean()),
        ("uncorrected_p50", uncorrected.quantile(0.5)),
        ("uncorrected_p99", uncorrected.p99()),
        ("uncorrected_p99_9", uncorrected.p99_9()),
        ("late_p99", late.p99()),
        ("service_mean", service.mean()),
        ("offered", per_second(last_due)),
        ("achieved", per_second(last_end)),
        ("backlog_growth", backlog_growth(requests)),
    ]
}

/// By how much the number of unfinished requests grew after the first quarter of them had arrived, as a share of the rest.
fn backlog_growth(requests: &[Times]) -> f64 {
    if requests.len() < 1000 {
        return f64::NAN;
    }
    let unfinished = |time| {
        requests.iter().filter(|times| times.due < time && times.ended >= time).count() as f64
    };
    let quarter = requests.len() / 4;
    let grown = unfinished(requests[requests.len() - 1].due) - unfinished(requests[quarter].due);
    (grown / (requests.len() - quarter) as f64).max(0.0)
}

/// Times, sorted.
pub struct Sample(Vec<u64>);

impl Sample {
    pub fn new(times: impl Iterator<Item = u64>) -> Self {
        let mut sorted: Vec<_> = times.collect();
        sorted.sort_unstable();
        Sample(sorted)
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / self.0.len() as f64
    }

    /// Interpolates between the two nearest times. 0 if there are none.
    pub fn quantile(&self, p: f64) -> f64 {
        if self.0.is_empty() {
            return 0.0;
        }
        let rank = (self.0.len() - 1) as f64 * p;
        let below = rank as usize;
        let above = (below + 1).min(self.0.len() - 1);
        let (low, high) = (self.0[below] as f64, self.0[above] as f64);
        low + (high - low) * (rank - below as f64)
    }

    fn if_enough(&self, needed: usize, p: f64) -> f64 {
        if self.0.len() < needed {
            return f64::NAN;
        }
        self.quantile(p)
    }

    pub fn p99(&self) -> f64 {
        self.if_enough(299, 0.99)
    }

    fn p99_9(&self) -> f64 {
        self.if_enough(2995, 0.999)
    }
}
