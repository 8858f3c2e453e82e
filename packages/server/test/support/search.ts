import { assertStatus, type Client, type Loose } from "./client.ts";

/** The answer to a search; `more` are further parameters, each with its `&`. */
export const find = async (client: Client, q: string, more = ""): Promise<Loose> =>
  assertStatus(await client.get(`/search/v2?q=${encodeURIComponent(q)}${more}`), 200).body;
