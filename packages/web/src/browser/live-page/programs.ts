/** Names the programs and agents that change a document: the script of the page passes its event stream on to all tabs. */
import { CHANNEL, type Message } from "../islands/shell/events.ts";

export function followPrograms(documentId: string, wrote: (name: string) => void): void {
  const workspace = document.querySelector<HTMLElement>("[data-tree]")?.dataset.tree;
  if (!workspace) return;
  const channel = new BroadcastChannel(`${CHANNEL}:${workspace}`);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (!("event" in data)) return;
    const { event } = data;
    const isHere = event.type === "document.content.updated" && event.documentId === documentId;
    if (isHere && event.program !== null) wrote(event.program);
  });
}
