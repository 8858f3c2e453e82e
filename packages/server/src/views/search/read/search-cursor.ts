import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import type { Statistics } from "@svc/search/query/bm25";
import type { SearchResult } from "@svc/search/query/evaluate";
import type { StoredSearchRequest } from "@svc/search/query/run-search";
import { apiError } from "../../../errors.ts";
import { decodeCursor, encodeCursor } from "../../../http/cursor.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";

type Mode = StoredSearchRequest["mode"];

/** The position at which a page ended. */
type Position = { readonly epoch: number } & Pick<StoredSearchRequest, "afterKey" | "frozen" | "afterNumber">;

/** Covers everything that determines a result, except the page size. */
const fingerprint = (identity: unknown): string => hash("sha256", JSON.stringify(identity), "base64url").slice(0, 16);

/** The cursor to the next page; null after the last. */
export function encodePosition(
  secret: ServerSecret,
  identity: unknown,
  mode: Mode,
  epoch: number,
  { hits, groups, more, statistics }: SearchResult,
): string | null {
  const last = (groups ?? hits).at(-1);
  if (!more || !last) return null;
  const { pinned, score, title, number } = last;
  const { n, totalLength, df } = statistics;
  const place =
    mode === "exhaustive" ? [number] : [number, Number(pinned), score, Number(title), n, totalLength, ...df];
  return encodeCursor(secret, ["search", fingerprint(identity), epoch, place]);
}

export function decodePosition(
  secret: ServerSecret,
  identity: unknown,
  mode: Mode,
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const decoded = decodeCursor(secret, cursor);
  if (!Array.isArray(decoded) || decoded[0] !== "search") throw apiError("invalid_cursor");
  const [, identified, epoch, place] = decoded;
  if (identified !== fingerprint(identity)) throw apiError("cursor_mismatch");
  const [number, pinned, score, title, n, totalLength, ...df] = place;
  if (mode === "exhaustive") return { epoch, afterNumber: defined(number) };
  const frozen: Statistics = { n: defined(n), totalLength: defined(totalLength), df };
  return {
    epoch,
    frozen,
    afterKey: { pinned: pinned === 1, score: defined(score), title: title === 1, number: defined(number) },
  };
}
