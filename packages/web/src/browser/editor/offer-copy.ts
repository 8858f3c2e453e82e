import type { Node } from "@svc/document/types";
import type { SessionStatus } from "@svc/live/session";
import { element } from "../islands/common/element.ts";
import { toast } from "../islands/common/toast.ts";
import { loadIsland } from "./lazy.ts";

/** Shows a banner above text that can no longer be saved, with a button to copy it. */
export function offerCopy(banner: HTMLElement, status: SessionStatus, blocks: () => readonly Node[]): void {
  banner.hidden = status.kind !== "refused";
  if (status.kind !== "refused") return;
  const copy = element("button", { type: "button", class: "button button-small" }, "Copy my text");
  copy.addEventListener("click", () => void copyText(blocks()));
  const text = `Not saved: ${status.reason}. Your text is still on this page.`;
  banner.replaceChildren(element("span", {}, text), copy);
}

async function copyText(blocks: readonly Node[]): Promise<void> {
  const { serialiseBody } = await loadIsland("markdown");
  await navigator.clipboard.writeText(serialiseBody(blocks).text).then(
    () => toast("Copied as Markdown."),
    () => toast("The browser does not allow copying. Select the text and copy it."),
  );
}
