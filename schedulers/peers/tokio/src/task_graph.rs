//! The dependences of taskgraph: those of workloads/parts/task_graph.hpp.

use crate::random::mix_seed;

/// The patterns of Task Bench: on which points of the step before a point depends.
pub const PATTERNS: &[&str] = &[
    "trivial",
    "no_comm",
    "stencil_1d",
    "stencil_1d_periodic",
    "dom",
    "tree",
    "fft",
    "all_to_all",
    "nearest",
    "spread",
    "random_nearest",
];

pub struct Shape {
    pub pattern: &'static str,
    pub width: u64,
    pub steps: u64,
    pub radix: u64,
    /// Of random_nearest.
    pub seed: u64,
}

/// Tasks in steps. Task t * width + i is point i of step t.
pub struct TaskGraph {
    shape: Shape,
    pub tasks: u64,
    /// Of each task: on how many it depends.
    pub needs: Vec<u32>,
    /// Of each task in `dependents`, and the end.
    begins: Vec<u32>,
    dependents: Vec<u32>,
}

impl Shape {
    /// Known before the graph is made, for a check of memory.
    pub fn most_dependences(&self) -> u64 {
        let each = match self.pattern {
            "all_to_all" => self.width,
            "nearest" | "spread" | "random_nearest" => self.radix.min(self.width) + 1,
            _ => 3,
        };
        self.width * self.steps * each
    }

    fn points_of(&self, step: u64) -> u64 {
        if self.pattern != "tree" || step >= 31 {
            self.width
        } else {
            self.width.min(1 << step)
        }
    }

    /// The points from `low` to `high` that a step has.
    fn between(&self, low: i64, high: i64) -> Vec<u64> {
        (low.max(0)..=high.min(self.width as i64 - 1)).map(|point| point as u64).collect()
    }

    fn points_before(&self, step: u64, point: u64) -> Vec<u64> {
        let width = self.width;
        let here = point as i64;
        let first = here - (self.radix / 2) as i64;
        let last = first + self.radix as i64 - 1;
        match self.pattern {
            "no_comm" => vec![point],
            "stencil_1d" => self.between(here - 1, here + 1),
            "stencil_1d_periodic" => {
                unique(vec![(point + width - 1) % width, point, (point + 1) % width])
            }
            "dom" => self.between(here - 1, here),
            "tree" if self.points_of(step) > self.points_of(step - 1) => vec![point / 2],
            "tree" => vec![point],
            "fft" => {
                let stages = u64::from(63 - width.leading_zeros()).max(1);
                let distance = 1i64 << ((step - 1) % stages);
                let mut points = vec![point];
                for other in [here - distance, here + distance] {
                    if (0..width as i64).contains(&other) {
                        points.push(other as u64);
                    }
                }
                points
            }
            "all_to_all" => self.between(0, width as i64 - 1),
            "nearest" => self.between(first, last),
            "spread" => {
                let shift = |i| i * width / self.radix + if i > 0 { step } else { 0 };
                let count = self.radix.min(width);
                unique((0..count).map(|i| (point + shift(i)) % width).collect())
            }
            "random_nearest" => {
                let of_step = mix_seed(self.seed.wrapping_add(step));
                let kept = |other: &u64| {
                    *other == point
                        || mix_seed(of_step.wrapping_add(point * width + other)) % 2 != 0
                };
                self.between(first, last).into_iter().filter(kept).collect()
            }
            _ => Vec::new(), // trivial
        }
    }

    fn for_each_edge(&self, mut visit: impl FnMut(u64, u64)) {
        for step in 1..self.steps {
            for point in 0..self.points_of(step) {
                for from in self.points_before(step, point) {
                    visit((step - 1) * self.width + from, step * self.width + point);
                }
            }
        }
    }
}

fn unique(mut points: Vec<u64>) -> Vec<u64> {
    points.sort_unstable();
    points.dedup();
    points
}

impl TaskGraph {
    pub fn new(shape: Shape) -> Self {
        let places = (shape.width * shape.steps) as usize;
        let mut needs = vec![0; places];
        let mut begins = vec![0; places + 1];
        shape.for_each_edge(|from, to| {
            begins[from as usize + 1] += 1;
            needs[to as usize] += 1;
        });
        for i in 1..=places {
            begins[i] += begins[i - 1];
        }
        let mut dependents = vec![0; begins[places] as usize];
        let mut next = begins.clone();
        shape.for_each_edge(|from, to| {
            let place = &mut next[from as usize];
            dependents[*place as usize] = to as u32;
            *place += 1;
        });
        let tasks = (0..shape.steps).map(|step| shape.points_of(step)).sum();
        TaskGraph { shape, tasks, needs, begins, dependents }
    }

    /// A tree has fewer tasks than places.
    pub fn exists(&self, task: usize) -> bool {
        let task = task as u64;
        task % self.shape.width < self.shape.points_of(task / self.shape.width)
    }

    pub fn dependents(&self, task: usize) -> &[u32] {
        &self.dependents[self.begins[task] as usize..self.begins[task + 1] as usize]
    }
}
