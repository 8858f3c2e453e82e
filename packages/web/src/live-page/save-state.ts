import type { SessionStatus } from "@svc/live/session";

/** What the page says about the reader's own edits. */
export function saveStateText(state: SessionStatus): string {
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
