import type { Client, Loose } from "./client.ts";
import { makeDocument, makeKnowledgeBase } from "./fixtures.ts";
import { until } from "./until.ts";

/** Receivers on this machine are allowed, and a failed try is repeated soon. */
export const loopback = { SVC_WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8", SVC_WEBHOOK_RETRY_MS: "20" };

export const webhookOf = async (client: Client, { id }: Loose): Promise<Loose> =>
  (await client.get(`/webhooks/${id}`)).data;

export const deliveriesOf = async (client: Client, { id }: Loose, query = ""): Promise<Loose[]> =>
  (await client.get(`/webhooks/${id}/deliveries${query}`)).data;

export const deliveryEnded = (client: Client, hook: Loose, delivery: Loose): Promise<void> =>
  until("the delivery has ended", async () => {
    const { data } = await client.get(`/webhooks/${hook.id}/deliveries/${delivery.id}`);
    return data.status !== "pending";
  });

/** Documents that each make one event, and the titles in that order. */
export async function makeEvents(client: Client, count: number): Promise<string[]> {
  const { id } = await makeKnowledgeBase(client);
  const titles = Array.from({ length: count }, (_, n) => `Event ${n}`);
  for (const title of titles) await makeDocument(client, { title, knowledge_base_id: id });
  return titles;
}

export const titlesOf = (messages: readonly Loose[]): string[] => messages.map(({ data }) => data.document?.title);
