import { element } from "../common/element.ts";

const KEPT = "svc-side-width";
/** In rem, as the stylesheet counts. */
const WIDTH = { least: 13, usual: 17, most: 30, step: 1 };

const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** The edge of the sidebar is dragged, or moved by the arrow keys; this browser keeps its place. */
export function startResize(): void {
  const side = document.getElementById("side");
  if (!side) return;
  const edge = element("div", {
    class: "side-edge",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the sidebar",
    "aria-controls": "side",
    "aria-valuemin": WIDTH.least,
    "aria-valuemax": WIDTH.most,
  });
  const set = (wanted: number) => {
    const width = Math.round(Math.max(WIDTH.least, Math.min(WIDTH.most, wanted)) * 8) / 8;
    document.documentElement.style.setProperty("--side", `${width}rem`);
    edge.ariaValueNow = String(width);
    localStorage.setItem(KEPT, String(width));
  };
  const width = () => Number(edge.ariaValueNow);
  set(Number(localStorage.getItem(KEPT)) || WIDTH.usual);
  edge.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
  });
  edge.addEventListener("pointermove", (event) => {
    if (edge.hasPointerCapture(event.pointerId)) set(event.clientX / rem());
  });
  edge.addEventListener("dblclick", () => set(WIDTH.usual));
  edge.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowLeft: width() - WIDTH.step, ArrowRight: width() + WIDTH.step };
    const ends: Record<string, number> = { Home: WIDTH.least, End: WIDTH.most };
    const next = steps[event.key] ?? ends[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  });
  side.append(edge);
}
