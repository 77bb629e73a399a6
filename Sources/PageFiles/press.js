// A long press of a finger, or the other button of a mouse.

/** After so long a finger means more than a tap, in milliseconds. */
const long = 500;
/** A finger that goes further scrolls, in pixels. */
const far = 10;

/**
 * Safari of iOS has no `contextmenu` event, so the time is taken. The click that ends a long press counts for nothing.
 *
 * @param {string} selector
 * @param {(element: HTMLElement) => void} pressed is told the element of this selector that was pressed
 * @param {string[]} kinds the pointers that press it long
 */
export function followLongPresses(selector, pressed, kinds = ["touch"]) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @type {PointerEvent} */
  let start;
  let isHeld = false;

  /** @param {HTMLElement} element */
  const press = (element) => {
    clearTimeout(timer);
    if (isHeld) return;
    isHeld = true;
    pressed(element);
  };
  const end = () => clearTimeout(timer);

  document.addEventListener("pointerdown", (event) => {
    end();
    isHeld = false;
    const element = event.target.closest(selector);
    if (!element || event.button > 0 || !kinds.includes(event.pointerType)) return;
    start = event;
    timer = setTimeout(() => press(element), long);
  });
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (start && Math.hypot(clientX - start.clientX, clientY - start.clientY) > far) end();
  });
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("click", (event) => {
    if (!isHeld || event.detail === 0) return;
    isHeld = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  document.addEventListener("contextmenu", (event) => {
    const element = event.target.closest(selector);
    if (!element) return;
    event.preventDefault();
    press(element);
    // The click of another button is no click, and a key has none.
    if (event.pointerType !== "touch") isHeld = false;
  });
}
