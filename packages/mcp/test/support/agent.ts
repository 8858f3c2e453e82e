import assert from "node:assert/strict";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Client as Person } from "../../../server/test/support/client.ts";

/** A tool's answer in the form that tests check. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
}

/** The official client with a token, as an agent's program uses it. */
export class Agent {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** `tools` is what its address asks for: all of them, where a test does not say otherwise. */
  static async connect(url: string, token: string, options: ClientOptions = {}, tools = "?tools=all"): Promise<Agent> {
    const client = new Client({ name: "test-agent", version: "1.0.0" }, options);
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp${tools}`), { requestInit: { headers } }),
    );
    return new Agent(client);
  }

  /** The answer without its fence. */
  async tool(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.raw(name, args);
    return { ...answer, text: answer.text.replace(/^<<([0-9a-f]{8})\n([\s\S]*)\n\1>>$/, "$2") };
  }

  async raw(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: args });
    const [content] = result.content;
    assert.ok(content?.type === "text");
    return {
      text: content.text,
      isError: result.isError === true,
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
    };
  }

  /** A call that works. */
  async ok(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.tool(name, args);
    assert.equal(answer.isError, false, answer.text);
    return answer;
  }

  /** A call that is refused with this code, and says what to do next. */
  async refused(code: string, name: string, args: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.tool(name, args);
    assert.equal(answer.isError, true, answer.text);
    assert.match(answer.text, new RegExp(`\\*\\*${code}\\*\\*`));
    assert.match(answer.text, /^Next: ./m);
    return answer.text;
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  close = (): Promise<void> => this.client.close();
}

/** The value that a text names, as a model would take it over: `version: sha256:…`. */
export function valueIn(text: string, name: string): string {
  const found = new RegExp(`\\b${name}: ([^\\s,)·]+)`).exec(text)?.[1];
  assert.ok(found, `${name} in ${text}`);
  return found;
}

/** The id of a document that was created. */
export const idIn = (text: string): string => /^Created document ([0-9A-HJKMNP-TV-Z]{8})\.$/.exec(text)?.[1] ?? "";

/** Finds the full id of a resource that an answer names by the end of its id. */
export async function wholeId(person: Person, kind: "comment" | "suggestion", ending: string): Promise<string> {
  assert.match(ending, /^[0-9A-Z]{8}$/);
  const { data } = await person.get(`/ids?kind=${kind}&id_ends=${ending}`);
  assert.equal(data.length, 1);
  return data[0].id;
}
