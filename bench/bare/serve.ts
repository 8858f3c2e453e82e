import { createHash } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";

export const makeBareServer = (): FastifyInstance => Fastify({ bodyLimit: 2 ** 26 });

/** Sends ready JSON as it is. */
export const answer = (reply: FastifyReply, json: string): FastifyReply =>
  reply.type("application/json; charset=utf-8").send(json);

export const hashOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** The text blocks of a body, as they are indexed. */
export const blocksOf = (text: string): string[] => text.split("\n\n");

/** Room in the index for the blocks of one document. */
export const BLOCKS_EACH = 1000;

/** Listens on a free port and prints the address. */
export async function listen(server: FastifyInstance): Promise<void> {
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  process.stdout.write(`${JSON.stringify({ address })}\n`);
}

/** svc's answers about a document, stored as they are sent. */
export interface Seed {
  readonly id: string;
  readonly base: number;
  readonly meta: string;
  /** Its line in the tree. */
  readonly item: string;
  readonly version: string;
  readonly markdown: string;
  /** Ready answers by kind: `tiptap`, `html`, `outline`, `block`. */
  readonly answers: Readonly<Record<string, string>>;
}

export interface IdRequest {
  Params: { id: string };
}
export interface TextRequest extends IdRequest {
  Body: { text: string };
}
export interface SearchRequest {
  Querystring: { q: string };
}
