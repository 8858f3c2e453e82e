import type { Client } from "./client.ts";

/** Watchable resources. */
export type Watched =
  | { readonly kind: "document"; readonly id: string }
  | { readonly kind: "folder" | "knowledge_base"; readonly id: number };

/** Whether one watches something, and since when. */
export interface Watching {
  readonly watching: boolean;
  readonly since: number | null;
}

/** Begins or ends watching something; answers how it is then. */
export const setWatching = async (client: Client, watched: Watched, isWatching: boolean): Promise<Watching> =>
  (await (isWatching ? begin : end)(client, watched)).data;

async function begin(client: Client, watched: Watched): Promise<{ data: Watching }> {
  if (watched.kind === "document") return client.put("/documents/{id}/watch", { path: { id: watched.id } });
  const path = { id: watched.id };
  return watched.kind === "folder"
    ? client.put("/folders/{id}/watch", { path })
    : client.put("/knowledge-bases/{id}/watch", { path });
}

async function end(client: Client, watched: Watched): Promise<{ data: Watching }> {
  if (watched.kind === "document") return client.delete("/documents/{id}/watch", { path: { id: watched.id } });
  const path = { id: watched.id };
  return watched.kind === "folder"
    ? client.delete("/folders/{id}/watch", { path })
    : client.delete("/knowledge-bases/{id}/watch", { path });
}
