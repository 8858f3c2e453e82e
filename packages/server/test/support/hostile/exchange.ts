import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Bytes and pauses: what a sender does on a raw connection. `end` says that nothing more comes, `cut` drops it. */
export type Step = Buffer | string | { readonly pause: number } | "end" | "cut";

export interface Exchanged {
  /** Statuses of every answer on the connection. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** The connection was ended by the server before `patience` was over. */
  readonly closed: boolean;
}

const isMarker = (step: Step): step is "end" | "cut" => step === "end" || step === "cut";

interface Patience {
  /** How long the connection may be silent; before the first byte `first` counts, where it is given. */
  readonly silence?: number;
  readonly first?: number | undefined;
  readonly answers?: number;
}

/** Does the steps, and waits until the connection ends, falls silent for so long, or has so many answers. */
export function exchange(
  url: string,
  steps: readonly Step[],
  { silence = 400, first = silence, answers = Number.POSITIVE_INFINITY }: Patience = {},
): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    let closed = false;
    const statuses = () => [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map((match) => Number(match[1]));
    const finish = () => {
      socket.destroy();
      resolve({ statuses: statuses(), text, closed });
    };
    const socket = connect(Number(port), hostname, async () => {
      for (const step of steps) {
        if (socket.destroyed) return;
        if (isMarker(step)) step === "end" ? socket.end() : finish();
        else if (typeof step === "object" && "pause" in step) await sleep(step.pause);
        else socket.write(step as string, "latin1");
      }
    });
    socket.setTimeout(first, finish).on("error", () => undefined);
    socket.on("close", () => {
      closed = true;
      finish();
    });
    socket.on("data", (chunk) => {
      socket.setTimeout(silence);
      text += chunk.toString("latin1");
      if (statuses().length >= answers) finish();
    });
  });
}
