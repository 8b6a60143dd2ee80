// The box beside the pointer.
import { make } from './dom.js';

const kGap = 14;

/** Makes the box of `element`: show(event, name, lines), hide(). */
export function makeTip(element) {
  return {
    show(event, name, lines) {
      element.replaceChildren(make('strong', name), ...lines.map((line) => make('div', line)));
      element.hidden = false;
      // Beside the pointer, on whichever side there is room.
      const { offsetWidth: width, offsetHeight: height } = element;
      const { clientX: x, clientY: y } = event;
      const left = x + kGap + width > window.innerWidth ? x - kGap - width : x + kGap;
      const top = y + kGap + height > window.innerHeight ? y - kGap - height : y + kGap;
      element.style.left = `${Math.max(4, left)}px`;
      element.style.top = `${Math.max(4, top)}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}
