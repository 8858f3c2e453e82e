import { setTimeout as sleep } from "node:timers/promises";
import { workspaceRows } from "../workspace-rows.ts";
import type { World } from "../world.ts";
import { type Operation, operations } from "./description.ts";
import { type IdPosition, idPositions } from "./id-positions.ts";
import type { Scene } from "./scene.ts";
import type { Reply } from "./send-call.ts";

export const ULID = /\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b/g;
export const guarded = operations.filter(({ path }) => !path.startsWith("/auth/"));

/** An id of somebody for one place of one operation. */
export interface Probe {
  readonly operation: Operation;
  readonly position: IdPosition;
  readonly theirs: unknown;
}

export async function probesOf(scene: Scene): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const operation of guarded) {
    const positions = idPositions(operation);
    if (positions.length === 0) continue;
    const place = await scene.place(operation);
    for (const position of positions) {
      const theirs =
        position.part === "path" ? place.path.split("/")[position.step] : await scene.value(position.name, place);
      probes.push({ operation, position, theirs });
    }
  }
  return probes;
}

/** Longer than any loop of the server sleeps between two looks for work, so that none is left that nobody saw yet. */
const QUIET_MS = 2500;

/** Waits until nothing works on the workspace any more, and tells its rows. */
export async function settledRows({ app }: World, workspaceId: string): Promise<Map<string, string>> {
  const { database } = app.services;
  for (let rows = await workspaceRows(database, workspaceId); ; ) {
    await sleep(QUIET_MS);
    const again = await workspaceRows(database, workspaceId);
    const isWorking = /"status":"(pending|running)"/.test(again.get("jobs") ?? "");
    if (!again.get("purges") && !isWorking && JSON.stringify([...rows]) === JSON.stringify([...again])) return again;
    rows = again;
  }
}

/** Parts that may differ between the answers about two ids that the caller cannot see. */
export const comparable = ({ status, text }: Reply, id: unknown): string =>
  `${status} ${text}`
    .replace(ULID, (found) => found.replace(/_.*/, "_…"))
    .replace(/sha256:[0-9a-f]{64}/g, "sha256:…")
    .replace(/\b1\d{12}\b/g, "<time>")
    .replace(new RegExp(`\\b${String(id).replace(/\W/g, "\\$&")}\\b`, "g"), "<id>");
