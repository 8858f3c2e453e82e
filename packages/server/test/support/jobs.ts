import type { Client, Loose } from "./client.ts";
import { until } from "./until.ts";

/** The job when it has ended, whatever came of it. */
export async function jobEnded(
  client: Client,
  kind: "import-jobs" | "summary-jobs" | "translation-jobs",
  id: string,
): Promise<Loose> {
  let job: Loose;
  await until("the job ends", async () => {
    job = (await client.get(`/${kind}/${id}`)).data;
    return job.finished_at !== null;
  });
  return job;
}
