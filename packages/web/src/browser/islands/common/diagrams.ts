import { at } from "./base-path.ts";
import { element } from "./element.ts";

/** The frame's answer: a picture as markup, or the problem with the source. */
interface Drawn {
  readonly svg?: string;
  readonly problem?: string;
}

const isDark = matchMedia("(prefers-color-scheme: dark)");
/** The theme that the page shows: a chosen one, or the system's. */
const showsDark = (): boolean => {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme === "dark" || (scheme !== "light" && isDark.matches);
};

/** The frame that draws, made with the first diagram of a page. */
let frame: Promise<Window> | undefined;
const waiting = new Map<number, (drawn: Drawn) => void>();
let count = 0;

function openFrame(): Promise<Window> {
  const made = element("iframe", {
    class: "diagram-frame",
    sandbox: "allow-scripts",
    title: "Draws diagrams",
    "aria-hidden": "true",
    tabindex: -1,
    src: at("/diagram-frame"),
  });
  return new Promise((resolve) => {
    addEventListener("message", (event) => {
      if (event.source !== made.contentWindow || made.contentWindow === null) return;
      const { id, isReady, ...drawn }: Drawn & { id?: number; isReady?: boolean } = event.data;
      if (isReady) resolve(made.contentWindow);
      if (id === undefined) return;
      waiting.get(id)?.(drawn);
      waiting.delete(id);
    });
    document.body.append(made);
  });
}

async function draw(source: string): Promise<Drawn> {
  frame ??= openFrame();
  const target = await frame;
  const id = count++;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    target.postMessage({ id, source, isDark: showsDark() }, "*");
  });
}

/** The size of the picture from its own coordinates. */
function sizeOf(svg: string): readonly [width: number, height: number] | undefined {
  const [, width, height] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  return width && height ? [Math.ceil(Number(width)), Math.ceil(Number(height))] : undefined;
}

/**
 * Shows a diagram in a figure. The frame's markup is only used as a picture, in which nothing runs and nothing is
 * fetched. Returns the problem with the source, if any.
 */
export async function showDiagram(figure: HTMLElement, source: string): Promise<string | undefined> {
  figure.dataset.wanted = source;
  const { svg, problem } = await draw(source);
  // A later call draws the newer source.
  if (figure.dataset.wanted !== source) return undefined;
  if (svg === undefined) return problem ?? "The diagram cannot be drawn.";
  const [width, height] = sizeOf(svg) ?? [];
  const picture = element("img", { alt: `Diagram: ${source}`, width, height, "data-diagram": true });
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  figure.replaceChildren(picture);
  return undefined;
}
