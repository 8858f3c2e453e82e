import { api } from "../common/api.ts";
import { attempt } from "../common/toast.ts";

/** Boxes of tasks can be ticked by who may write; one that cannot be kept goes back. */
export function startTicks(root: ParentNode): void {
  const text = document.querySelector<HTMLElement>("[data-tickable]");
  const id = text?.dataset.tickable;
  if (!text || !id) return;
  for (const box of root.querySelectorAll<HTMLInputElement>("input[data-task]")) {
    box.disabled = false;
    box.addEventListener("change", () => attempt(() => tick(id, box)));
  }
}

async function tick(id: string, box: HTMLInputElement): Promise<void> {
  const { checked } = box;
  box.disabled = true;
  try {
    const path = { id, blockId: decodeURIComponent(box.dataset.task ?? "") };
    const { data } = await api.patch("/documents/{id}/blocks/{blockId}", { path, body: { attrs: { checked } } });
    // The news of this change is none here, whether it comes before or after the answer.
    if ("version" in data) {
      box.closest("[data-shown-version]")?.setAttribute("data-shown-version", data.version);
      document.querySelector(`.page-news[data-version="${data.version}"]`)?.remove();
    }
    box.setAttribute("aria-label", checked ? "Done" : "To do");
  } catch (error) {
    box.checked = !checked;
    throw error;
  } finally {
    box.disabled = false;
  }
}
