import type { Tx } from "../../../db/database.ts";
import { lockAttempts } from "./slow-down.ts";

/**
 * Takes one of a limited number per window that begins with the first, exactly, in any number of processes. Returns 0
 * on success, otherwise the milliseconds until the next window.
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
  // A window that seems to last longer than one began before the clock was put back.
  const isOver = left <= 0 || left > windowMs;
  if (!isOver && row.failures >= limit) return left;
  const change = isOver ? { failures: 1, forgotten_at: now + windowMs } : { failures: row.failures + 1 };
  await tx.updateTable("attempts").set(change).where("subject", "=", subject).execute();
  return 0;
}
