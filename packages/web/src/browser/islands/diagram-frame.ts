/**
 * Draws Mermaid diagrams in a frame of their own: the library writes inline styles, which our pages forbid, and the frame
 * (sandboxed, without an origin or a network) is all that a hostile diagram could reach. The page gets a picture. The
 * library is a script before this one.
 */
interface Mermaid {
  initialize(settings: object): void;
  parse(source: string): Promise<unknown>;
  render(id: string, source: string): Promise<{ readonly svg: string }>;
}

declare const mermaid: Mermaid;
let count = 0;
/** One after the other: the library has one configuration at a time. */
let last: Promise<unknown> = Promise.resolve();

/** One diagram does not keep the others waiting for ever. */
const MAX_MS = 15_000;

const withinTime = <T>(work: Promise<T>): Promise<T> => {
  const tooLong = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error("The diagram takes too long to draw.")), MAX_MS);
  });
  return Promise.race([work, tooLong]);
};

async function draw(source: string, isDark: boolean): Promise<object> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: isDark ? "dark" : "neutral",
    fontFamily: "system-ui, sans-serif",
    // Labels as SVG text: markup in a picture is not drawn by every browser.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    maxEdges: 300,
  });
  try {
    await withinTime(mermaid.parse(source));
    return { svg: (await withinTime(mermaid.render(`diagram-${count++}`, source))).svg };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

addEventListener("message", (event) => {
  if (event.source !== parent) return;
  const { id, source, isDark }: { id: number; source: string; isDark: boolean } = event.data;
  last = last.then(async () => parent.postMessage({ id, ...(await draw(source, isDark)) }, "*"));
});
parent.postMessage({ isReady: true }, "*");
