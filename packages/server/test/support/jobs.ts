import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Loose } from "./client.ts";

/** The job when it has ended, whatever came of it. */
export async function jobEnded(
  client: Client,
  kind: "import-jobs" | "summary-jobs" | "translation-jobs",
  id: string,
): Promise<Loose> {
  for (let i = 0; i < 1200; i++) {
    const { data } = await client.get(`/${kind}/${id}`);
    if (data.finished_at !== null) return data;
    await sleep(25);
  }
  throw new Error("The job did not end.");
}
