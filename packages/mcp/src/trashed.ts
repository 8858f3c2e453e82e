import type { Client } from "@svc/sdk";

/** The entry of the trash that a document or folder became just now; undefined where the trash keeps nothing. */
export async function findTrashed(client: Client, id: string | number): Promise<string | undefined> {
  const { data } = await client.get("/trash", { query: { limit: 100 } });
  return data.find((entry) => entry.item_id === String(id))?.id;
}
