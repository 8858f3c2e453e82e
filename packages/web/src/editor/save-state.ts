/** What the page says about the reader's own edits. */
export type SaveState =
  | { readonly kind: "connecting" | "saving" | "saved" | "offline" | "watching" }
  | { readonly kind: "refused"; readonly reason: string };

export function saveStateText(state: SaveState): string {
  switch (state.kind) {
    case "connecting":
      return "Connecting…";
    case "saving":
      return "Saving…";
    case "saved":
      return "Saved";
    case "offline":
      return "Offline, kept on this device";
    case "watching":
      return "Watching";
    case "refused":
      return `Not saved: ${state.reason}`;
  }
}
