// The span of time that is shown, and how it moves. Never wider than the whole, nor narrower than can be distinguished.

const kNarrowest = 50;

/** A span of the whole from `least` to `most`, in ns. */
export function makeSpan(least, most) {
  const span = {
    start: least,
    end: most,
    isWhole: () => span.start === least && span.end === most,
    reset() {
      span.start = least;
      span.end = most;
    },
    /** Moves by a share of what is shown. */
    pan(share) {
      const length = span.end - span.start;
      span.start = Math.min(Math.max(span.start + share * length, least), most - length);
      span.end = span.start + length;
    },
    /** Shows `factor` times as much; the time at `share` of the width stays where it is. */
    zoom(factor, share = 0.5) {
      const old = span.end - span.start;
      const length = Math.min(Math.max(old * factor, Math.min(kNarrowest, most - least)), most - least);
      span.start = Math.min(Math.max(span.start + share * (old - length), least), most - length);
      span.end = Math.min(span.start + length, most);
    },
    /** Shows a part with some room around it. */
    show(start, end) {
      span.start = start;
      span.end = end;
      span.zoom(Math.max(1.5, (20 * kNarrowest) / Math.max(end - start, 1)));
    },
  };
  return span;
}

/** Returns the times of about `count` ticks from `start` to `end`, at round distances from `origin`. */
export function ticks(start, end, origin, count) {
  const least = (end - start) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least);
  const times = [];
  for (let i = Math.ceil((start - origin) / step); origin + i * step <= end; ++i) {
    times.push(origin + i * step);
  }
  return times;
}
