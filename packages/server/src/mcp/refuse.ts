import type { FastifyReply } from "fastify";
import { scopesOf } from "../http/callers/scopes.ts";

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number | undefined;
}

/** JSON-RPC's own numbers; what has none gets the one for errors of the server's making. */
const NUMBERS: Readonly<Record<string, number>> = { parse_error: -32700, invalid_json: -32700 };
const SERVER_ERROR = -32000;

/** A refusal of the whole request, before any message in it counts: a status, and an error without an id. */
export function refuse(reply: FastifyReply, refused: Refused, metadataUrl?: string): FastifyReply {
  const { status, code, message, details } = refused;
  if (metadataUrl !== undefined && (status === 401 || code === "insufficient_scope"))
    reply.header("www-authenticate", challenge(code, metadataUrl, details?.scopes));
  if (refused.retryAfterMs !== undefined) reply.header("retry-after", String(Math.ceil(refused.retryAfterMs / 1000)));
  return reply.code(status).send({
    jsonrpc: "2.0",
    error: { code: NUMBERS[code] ?? SERVER_ERROR, message, data: { code, ...details } },
    id: null,
  });
}

const PROBLEMS: Readonly<Record<string, string>> = {
  token_missing: "",
  insufficient_scope: ', error="insufficient_scope"',
};

/**
 * Says where to learn how to get a token (RFC 9728), what to ask for, and what is wrong with the one that was sent
 * (RFC 6750): it is no good, or it does not reach far enough.
 */
function challenge(code: string, metadataUrl: string, wanted: unknown): string {
  const problem = PROBLEMS[code] ?? ', error="invalid_token"';
  const asked = Array.isArray(wanted) ? wanted : scopesOf.read_write;
  return `Bearer resource_metadata="${metadataUrl}", scope="${asked.join(" ")}"${problem}`;
}
