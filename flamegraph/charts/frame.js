// A page of flame graphs or a timeline inside of the page, with its own data and script. The policy of both pages applies to it.
import { make } from '../shared/dom.js';

const kFrames = new WeakMap(); // by chart: to draw again would lose what the reader has zoomed to

export function drawFrame(chart, { title }) {
  if (!kFrames.has(chart)) {
    const frame = make('iframe', '', { title, sandbox: 'allow-scripts', loading: 'lazy' });
    frame.srcdoc = chart.page;
    kFrames.set(chart, frame);
  }
  return [kFrames.get(chart)];
}
