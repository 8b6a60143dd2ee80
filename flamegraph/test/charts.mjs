// Data of every kind of chart, for tests and to look at: `node test/charts.mjs > DATA.json`.
import { isProgram } from '../program.mjs';

const kThroughput = { name: 'throughput', unit: 'fibers/s', better: 'higher' };
const kTime = { name: 'latency', unit: 'ns', better: 'lower' };
const column = (name, align = 'right') => ({ name, align });

export const kCharts = {
  version: 1,
  title: 'spawn_join: fast and global_fifo',
  facts: [
    ['machine', 'AMD EPYC · 2 of 2 CPUs, virtual'],
    ['seed', '1729'],
  ],
  notes: [['3 rounds give no 95 % interval: ranges are from least to greatest', 'try --rounds 20']],
  sections: [
    {
      title: 'Throughput of each block',
      about: 'A block is the median of its rounds.',
      chart: {
        kind: 'distribution',
        value: kThroughput,
        of: 'blocks',
        groups: [
          { name: 'fast', values: [4.1e6, 4.3e6, 4.2e6, 4.25e6, 4.9e6] },
          { name: 'global_fifo', values: [2.1e6, 2.0e6, 2.2e6, 2.15e6] },
        ],
      },
      sentences: ['global_fifo against fast: worse 1'],
      table: {
        columns: [column('alternative', 'left'), column('median')],
        rows: [
          ['fast', '4.25 M/s'],
          ['global_fifo', '2.12 M/s'],
        ],
      },
    },
    {
      title: 'Ratios',
      chart: {
        kind: 'intervals',
        value: { name: 'ratio of throughput to that of fast', unit: 'ratio', better: 'higher' },
        reference: '1 = fast',
        groups: [
          {
            name: 'spawn_join',
            rows: [
              { name: 'global_fifo', value: 0.5, low: 0.48, high: 0.53, verdict: 'worse' },
              {
                name: 'WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf',
                value: 1.01,
                low: 0.99,
                high: 1.03,
                verdict: 'same',
              },
            ],
          },
          {
            name: 'yield',
            rows: [
              { name: 'global_fifo', value: 1.2, low: 1.15, high: 1.3, verdict: 'better' },
              { name: 'threads', note: 'DNF' },
            ],
          },
        ],
      },
    },
    {
      title: 'Latency',
      chart: {
        kind: 'percentiles',
        value: kTime,
        lines: [
          {
            name: 'wakeup',
            points: [
              [50, 410, 400, 420],
              [90, 900, 850, 990],
              [99, 3200, null, null],
              [99.9, 21000, 18000, 32000],
              [100, 90000, 1000, 1e6],
            ],
          },
          {
            name: 'run',
            points: [
              [50, 200],
              [99, 1100],
              [100, 5e5],
            ],
          },
        ],
      },
    },
    {
      title: 'Scaling of fast',
      chart: {
        kind: 'curve',
        connected: false,
        x: { name: 'workers', unit: '' },
        value: kThroughput,
        lines: [
          {
            name: 'fast',
            points: [
              [1, 1e6, 0.95e6, 1.02e6],
              [2, 1.8e6, 1.7e6, 1.9e6],
              [3, 2.3e6, 2.2e6, 2.4e6],
              [4, 2.4e6, 2.2e6, 2.5e6],
            ],
          },
        ],
        fits: [
          {
            name: "Amdahl's law",
            points: [
              [1, 1e6],
              [2, 1.75e6],
              [3, 2.3e6],
              [4, 2.8e6],
            ],
          },
          {
            name: 'universal scalability law',
            points: [
              [1, 1e6],
              [2, 1.8e6],
              [3, 2.3e6],
              [4, 2.45e6],
            ],
          },
        ],
        ideal: {
          name: 'ideal',
          points: [
            [1, 1e6],
            [4, 4e6],
          ],
        },
        border: { x: 2, name: '2 CPUs' },
      },
      sentences: ["Amdahl's law: serial share 12 % (10 % to 15 %): at most 8.3 times the first"],
    },
    {
      title: 'workers and lifo_limit',
      chart: {
        kind: 'heatmap',
        value: kThroughput,
        rows: { name: 'workers', values: ['1', '2', '3'] },
        columns: { name: 'lifo_limit', values: ['0', '1', '3', '10'] },
        cells: [
          [1e6, 1.1e6, 1.15e6, 1.2e6],
          [1.8e6, 1.9e6, null, 2.1e6],
          [2.2e6, 2.4e6, 2.5e6, 2.3e6],
        ],
        missing: 'failed',
      },
    },
    {
      title: 'BM_SlowThread',
      chart: {
        kind: 'bars',
        value: { name: 'wall time of a round', unit: 'ns', better: 'lower' },
        reference: 'the toucan report',
        interval: 'range of the repetitions',
        bars: [
          { name: 'algo::GlobalFIFO', value: 120e6, low: 118e6, high: 125e6, reference: 125e6 },
          { name: 'StealHalf', value: 90e6, reference: 124e6 },
          { name: 'StealOne', note: 'wrong answer' },
        ],
      },
    },
    {
      title: 'Time of the workers',
      chart: {
        kind: 'stacked',
        value: { name: 'share of the wall time', unit: 'share' },
        parts: ['run', 'search', 'park', 'preempted'],
        bars: [
          { name: 'worker 0', values: [0.7, 0.1, 0.18, 0.02] },
          { name: 'worker 1', values: [0.2, 0.35, 0.45, 0] },
        ],
      },
      table: {
        columns: [column('worker', 'left'), column('run')],
        rows: Array.from({ length: 30 }, (_, i) => [`worker ${i}`, `${i} %`]),
      },
    },
  ],
};

if (isProgram(import.meta.url)) {
  console.log(JSON.stringify(kCharts));
}
