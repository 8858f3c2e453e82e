import { assertStatus, type Client, type Loose } from "./client.ts";

/** The answer to a search for all words; `more` are further parameters, each with its `&`. */
export const find = (client: Client, q: string, more = ""): Promise<Loose> => findBest(client, q, `&match=all${more}`);

/** The answer to a search for the best hits of any of the words. */
export const findBest = async (client: Client, q: string, more = ""): Promise<Loose> =>
  assertStatus(await client.get(`/search/v2?q=${encodeURIComponent(q)}${more}`), 200).body;
