import type { FastifyReply } from "fastify";
import { scopesOf } from "../../http/callers/scopes.ts";

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number | undefined;
}

/** JSON-RPC's error numbers; other codes get the number for server-defined errors. */
const NUMBERS: Readonly<Record<string, number>> = { parse_error: -32700, invalid_json: -32700 };
const SERVER_ERROR = -32000;

/** Refuses the whole request before any message in it is processed: a status, and an error without an id. */
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
 * The challenge header: the address of the metadata (RFC 9728), the scopes to ask for, and the error of the token that
 * was sent (RFC 6750): invalid, or too narrow.
 */
function challenge(code: string, metadataUrl: string, wanted: unknown): string {
  const problem = PROBLEMS[code] ?? ', error="invalid_token"';
  const asked = Array.isArray(wanted) ? wanted : scopesOf.read_write;
  return `Bearer resource_metadata="${metadataUrl}", scope="${asked.join(" ")}"${problem}`;
}
