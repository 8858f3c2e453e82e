import type { SessionStatus } from "@svc/live/session";

/** The save state of the reader's own edits in words. */
export function saveStateText(state: SessionStatus): string {
  switch (state.kind) {
    case "connecting":
      return "Connecting…";
    case "saving":
      return "Saving…";
    case "saved":
      return "Saved";
    case "offline":
      return "Offline · saved on this device";
    case "watching":
      return "Watching";
    case "refused":
      return `Not saved: ${state.reason}`;
  }
}
