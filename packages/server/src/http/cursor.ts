import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { Cache } from "../cache/cache.ts";
import { apiError } from "../errors.ts";
import { type ServerSecret, validSecrets } from "./server-secret.ts";

const TAG_BYTES = 12;
/** Longer than any cursor of this server. */
const MAX_LENGTH = 4096;

/** A client that pages through a list sends each cursor back, and many clients begin at the same page. */
const TAGS = new Cache<string>("cursor_tags", { share: 1 / 64 });

function sign(secret: string, body: string): string {
  const name = `${secret} ${body}`;
  const cached = TAGS.get(name);
  if (cached !== undefined) return cached;
  const tag = createHmac("sha256", secret).update(body).digest().subarray(0, TAG_BYTES).toString("base64url");
  TAGS.put(name, tag, 2 * tag.length);
  return tag;
}

/** Encodes a position as opaque text that is only accepted unchanged. */
export function encodeCursor(secret: ServerSecret, position: unknown): string {
  const body = Buffer.from(JSON.stringify(position)).toString("base64url");
  return `${body}.${sign(secret.current, body)}`;
}

/** Compares the text, because the same bytes can be encoded in several ways, a cursor in only one. */
function isTag(given: Buffer, secret: string, body: string): boolean {
  const right = Buffer.from(sign(secret, body));
  return given.length === right.length && timingSafeEqual(given, right);
}

export function decodeCursor(secret: ServerSecret, cursor: string): unknown {
  if (cursor.length > MAX_LENGTH) throw apiError("invalid_cursor");
  const [body = "", tag = "", ...rest] = cursor.split(".");
  const given = Buffer.from(tag);
  if (rest.length > 0 || !validSecrets(secret).some((one) => isTag(given, one, body))) throw apiError("invalid_cursor");
  return JSON.parse(Buffer.from(body, "base64url").toString());
}

/** Identifies the query of a list, without its limit: a cursor works only for its own query. */
const fingerprint = (query: unknown): string => hash("sha256", JSON.stringify(query), "base64url").slice(0, 16);

/** A keyset cursor of a list: the end of the page, valid only for its query. */
export const encodeListCursor = (secret: ServerSecret, query: unknown, last: readonly (string | number)[]): string =>
  encodeCursor(secret, ["list", fingerprint(query), last]);

export function decodeListCursor(
  secret: ServerSecret,
  query: unknown,
  cursor: string | undefined,
): readonly (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeCursor(secret, cursor);
  if (!Array.isArray(position) || position[0] !== "list") throw apiError("invalid_cursor");
  if (position[1] !== fingerprint(query)) throw apiError("cursor_mismatch");
  return position[2];
}
