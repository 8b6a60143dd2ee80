use super::{Opened, WorkloadKind};
use crate::audit::{run_in, spawn};
use rayon::prelude::*;
use rayon::ThreadPool;
use rust_agent::settings::{choice, number, Settings};
use rust_agent::workload::Workload;

pub const KIND: WorkloadKind = WorkloadKind {
    name: "nqueens",
    operation: "placement",
    fields: &[
        number("n", 9, 1, MOST_QUEENS as u64),
        choice("fork", 1, &["spawn", "structured"], &["spawn", "structured"]),
    ],
    make: NQueens::open,
};

const MOST_QUEENS: usize = 16;
const NO_ANSWER: u64 = u64::MAX;

/// Solutions, and placements of a queen that no earlier one attacks, of a board of n x n, from n = 1.
const KNOWN: [(u64, u64); MOST_QUEENS] = [
    (1, 1),
    (0, 2),
    (0, 5),
    (2, 16),
    (10, 53),
    (4, 152),
    (40, 551),
    (92, 2056),
    (352, 8393),
    (724, 35538),
    (2680, 166925),
    (14200, 856188),
    (73712, 4674889),
    (365596, 27358552),
    (2279184, 171129071),
    (14772512, 1141190302),
];

/// Counts the ways to place n queens, row by row: each queen that is placed is a call, with a copy of the board.
struct NQueens {
    n: usize,
    structured: bool,
    solutions: u64,
}

impl NQueens {
    fn open(parameters: &Settings, _seed: u64) -> Opened {
        Ok(Box::new(NQueens {
            n: parameters.number("n") as usize,
            structured: parameters.choice("fork") == "structured",
            solutions: NO_ANSWER,
        }))
    }
}

/// Queens in the first rows of a board, one in each.
#[derive(Clone, Copy)]
struct Board {
    columns: [u8; MOST_QUEENS],
    rows: u8,
    n: u8,
}

impl Board {
    /// Whether no queen attacks one in the next row and this column.
    fn holds(&self, column: i32) -> bool {
        (0..self.rows).all(|row| {
            let apart = i32::from(self.rows - row);
            let other = i32::from(self.columns[row as usize]);
            other != column && other != column - apart && other != column + apart
        })
    }

    fn with(&self, column: u8) -> Board {
        let mut next = *self;
        next.columns[next.rows as usize] = column;
        next.rows += 1;
        next
    }

    /// The columns of the next row that hold a queen, and how many they are.
    fn next_columns(&self) -> ([u8; MOST_QUEENS], usize) {
        let mut columns = [0; MOST_QUEENS];
        let mut count = 0;
        for column in (0..self.n).filter(|&column| self.holds(i32::from(column))) {
            columns[count] = column;
            count += 1;
        }
        (columns, count)
    }
}

/// with_max_len: each call is worth a fork here, and is made by one.
fn count_structured(board: Board) -> u64 {
    if board.rows == board.n {
        return 1;
    }
    let (columns, count) = board.next_columns();
    columns[..count]
        .par_iter()
        .with_max_len(1)
        .map(|&column| count_structured(board.with(column)))
        .sum()
}

/// Of one call, no job is made.
fn count_spawned(board: Board) -> u64 {
    if board.rows == board.n {
        return 1;
    }
    let (columns, count) = board.next_columns();
    if count == 1 {
        return count_spawned(board.with(columns[0]));
    }
    let mut solutions = [0; MOST_QUEENS];
    rayon::scope(|scope| {
        for (solutions, &column) in solutions.iter_mut().zip(&columns[..count]) {
            spawn(scope, move |_| *solutions = count_spawned(board.with(column)));
        }
    });
    solutions.iter().sum()
}

impl Workload<ThreadPool> for NQueens {
    fn prepare(&mut self) {
        self.solutions = NO_ANSWER;
    }

    fn run(&mut self, pool: &ThreadPool) -> u64 {
        let board = Board { columns: [0; MOST_QUEENS], rows: 0, n: self.n as u8 };
        let structured = self.structured;
        self.solutions =
            run_in(pool, || if structured { count_structured(board) } else { count_spawned(board) });
        KNOWN[self.n - 1].1
    }

    fn verify(&self) -> Result<(), String> {
        let right = KNOWN[self.n - 1].0;
        if self.solutions == right {
            Ok(())
        } else {
            Err(format!("{} queens have {right} solutions, not {}", self.n, self.solutions))
        }
    }
}
