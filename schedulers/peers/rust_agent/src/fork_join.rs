//! What `fib` and `skynet` compute, whatever the runtime.

/// The n-th Fibonacci number.
pub fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0, 1), |(previous, number), _| (number, previous + number)).0
}

/// Calls that `fib` forks. Each call above fib(1) has two branches.
pub fn forks(n: u64, both: bool) -> u64 {
    (fibonacci(n + 1) - 1) * if both { 2 } else { 1 }
}

pub const CHILDREN: u64 = 10;

/// A run of leaves: the part of the tree of `skynet` below one call.
#[derive(Clone, Copy)]
pub struct Leaves {
    pub first: u64,
    pub count: u64,
}

impl Leaves {
    #[inline]
    pub fn child_count(self) -> u64 {
        self.count.min(CHILDREN)
    }

    /// As even as possible; all children are equal if the count is a power of ten.
    #[inline]
    pub fn child(self, i: u64) -> Leaves {
        let begin = |i| self.count * i / self.child_count();
        Leaves { first: self.first + begin(i), count: begin(i + 1) - begin(i) }
    }

    pub fn children(self) -> impl Iterator<Item = Leaves> {
        (0..self.child_count()).map(move |i| self.child(i))
    }

    /// The calls of the tree, its root and its leaves included.
    pub fn nodes(self) -> u64 {
        if self.count == 1 {
            1
        } else {
            1 + self.children().map(Leaves::nodes).sum::<u64>()
        }
    }
}
