// The picture itself, drawn by d3-flame-graph from the few frames that can be seen.
import { select } from 'd3-selection';
import flamegraph from 'd3-flame-graph';

const kRowHeight = 20;
// The library hides the labels of narrower frames, yet lays them out: most of the time of a full picture.
const kMinLabel = 35;

/**
 * Makes a chart in `element`: draw(root, {width, icicle, colourOf, isDim}). Calls onHover(event, node), onLeave() and
 * onZoom(node). Zooming is not left to the library, which would keep the whole tree and call itself for each level.
 */
export function makeChart(element, { onHover, onLeave, onZoom }) {
  const tip = () => {};
  tip.show = (event, d) => onHover(event, d.data.node);
  tip.hide = onLeave;
  const chart = flamegraph()
    .cellHeight(kRowHeight)
    .minFrameSize(1)
    .transitionDuration(0)
    .resetHeightOnZoom(true)
    .tooltip(tip)
    .getName((d) => d.data.name);
  let isFirst = true;

  element.addEventListener('click', (event) => {
    const frame = event.target.closest('g.frame');
    if (frame) {
      // Before the library's own listener on the frame.
      event.stopPropagation();
      onZoom(select(frame).datum().data.node);
    }
  }, true);

  return {
    draw(root, { width, icicle, colourOf, isDim }) {
      // The library distinguishes frames by their order in the tree, which is another one each time.
      select(element).selectAll('g').remove();
      element.classList.toggle('icicle', icicle);
      chart.width(width).inverted(icicle).setColorMapper((d) => colourOf(d.data.node));
      const selection = select(element).datum(root);
      if (isFirst) {
        chart(selection);
        isFirst = false;
      } else {
        chart.update(root);
      }
      // A print scales the picture to its page, without the two rows that the library leaves free (page.css).
      const svg = element.querySelector('svg');
      const height = Number(svg.getAttribute('height'));
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      // New frames would grow for a quarter of a second, whatever transitionDuration says.
      const frames = selection.selectAll('g').classed('dim', (d) => isDim(d.data.node));
      frames.select('rect').interrupt().attr('width', (d) => (d.x1 - d.x0) * width);
      frames.filter((d) => (d.x1 - d.x0) * width < kMinLabel).select('foreignObject').remove();
      frames.select('div').interrupt().text((d) => d.data.name);
    },
  };
}
