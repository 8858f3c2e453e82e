/**
 * Two presses on one cell within this many milliseconds are a double click: cells are redrawn, so the browser reports
 * none.
 */
const DOUBLE_MS = 500;
/** Pixels. */
const HANDLE = 10;

/** The pressed cell, or the head of a row or column. */
export interface Target {
  readonly row: number | undefined;
  readonly column: number | undefined;
}

export function targetOf(grid: HTMLElement, target: EventTarget | null): Target | undefined {
  const found = target instanceof Element ? target.closest<HTMLElement>("[data-row],[data-column]") : null;
  if (!found || !grid.contains(found)) return undefined;
  const { row, column } = found.dataset;
  return {
    row: row === undefined ? undefined : Number(row),
    column: column === undefined ? undefined : Number(column),
  };
}

/** Whether the pointer is on the selection's corner, which is dragged to fill. */
export function isOnHandle({ target, clientX, clientY }: PointerEvent): boolean {
  if (!(target instanceof Element) || !target.classList.contains("is-corner")) return false;
  const { right, bottom } = target.getBoundingClientRect();
  return right - clientX < HANDLE && bottom - clientY < HANDLE;
}

/** Distinguishes double clicks from single ones. */
export class Presses {
  #last: (Target & { readonly time: number }) | undefined;
  /** The last press was a touch. */
  isTouch = false;

  isSecond({ timeStamp: time, pointerType, shiftKey }: PointerEvent, { row, column }: Target): boolean {
    const last = this.#last;
    const isAgain = last !== undefined && last.row === row && last.column === column && time - last.time < DOUBLE_MS;
    this.isTouch = pointerType === "touch";
    // A third press counts as a first one.
    this.#last = isAgain ? undefined : { row, column, time };
    return isAgain && !shiftKey && row !== undefined && column !== undefined;
  }
}

/** Calls `move` with the target under the pointer until it is released. */
export function whileDragged(grid: HTMLElement, move: (over: Target) => void, end: () => void): void {
  const moved = ({ clientX, clientY }: PointerEvent): void => {
    const over = targetOf(grid, document.elementFromPoint(clientX, clientY));
    if (over) move(over);
  };
  const ended = (): void => {
    removeEventListener("pointermove", moved);
    removeEventListener("pointerup", ended);
    end();
  };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", ended);
}
