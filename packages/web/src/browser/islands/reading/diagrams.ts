import { showDiagram } from "../common/diagrams.ts";
import { element } from "../common/element.ts";

/** Mermaid diagrams as pictures, drawn when they come near the window; the source stays below them, closed. */
export function startDiagrams(root: ParentNode): void {
  const sources = root.querySelectorAll<HTMLElement>("code.language-mermaid");
  if (sources.length === 0) return;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        if (target instanceof HTMLElement) void show(target);
      }
    },
    { rootMargin: "400px" },
  );
  for (const code of sources) seen.observe(code);
}

/** A source that cannot be drawn stays as it is. */
async function show(code: HTMLElement): Promise<void> {
  const box = code.closest<HTMLElement>(".code-box") ?? code.closest("pre");
  const figure = element("figure", { class: "diagram" });
  const problem = await showDiagram(figure, code.textContent ?? "");
  if (problem !== undefined || !box) return;
  box.before(figure);
  const source = element("details", { class: "diagram-source" }, element("summary", {}, "Source of the diagram"));
  box.replaceWith(source);
  source.append(box);
}
