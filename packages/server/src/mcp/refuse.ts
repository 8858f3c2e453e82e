import type { FastifyReply } from "fastify";

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
  if (status === 401 && metadataUrl !== undefined) reply.header("www-authenticate", challenge(code, metadataUrl));
  if (refused.retryAfterMs !== undefined) reply.header("retry-after", String(Math.ceil(refused.retryAfterMs / 1000)));
  return reply.code(status).send({
    jsonrpc: "2.0",
    error: { code: NUMBERS[code] ?? SERVER_ERROR, message, data: { code, ...details } },
    id: null,
  });
}

/** Says where to learn how to get a token (RFC 9728), and whether the one that was sent is no good (RFC 6750). */
function challenge(code: string, metadataUrl: string): string {
  const problem = code === "token_missing" ? "" : ', error="invalid_token"';
  return `Bearer resource_metadata="${metadataUrl}"${problem}`;
}
