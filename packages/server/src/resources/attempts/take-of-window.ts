import type { Tx } from "../../db/database.ts";
import { lockAttempts } from "./slow-down.ts";

/**
 * Takes one of so many in a window that begins with the first, exactly, in any number of processes. Returns how many
 * milliseconds are left to wait when there is none; 0 when one was taken.
 */
export async function takeOfWindow(
  tx: Tx,
  subject: string,
  limit: number,
  windowMs: number,
  now: number,
): Promise<number> {
  const row = await lockAttempts(tx, subject);
  const left = row.forgotten_at - now;
  // A window that seems to last longer than one was begun before the clock was put back.
  const isOver = left <= 0 || left > windowMs;
  if (!isOver && row.failures >= limit) return left;
  const change = isOver ? { failures: 1, forgotten_at: now + windowMs } : { failures: row.failures + 1 };
  await tx.updateTable("attempts").set(change).where("subject", "=", subject).execute();
  return 0;
}
