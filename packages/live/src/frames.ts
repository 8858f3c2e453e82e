import { isRecord, isSafeInteger } from "@svc/document/guards";

/** The messages on the socket: updates are binary frames, everything else is JSON text. */

/** A caret: a block and an offset in its text; `head` is the other end of a selection. */
export interface Caret {
  readonly block_id: string;
  readonly anchor: number;
  readonly head: number;
}

/** A person who has the document open. */
export interface Person {
  readonly connection: string;
  readonly user_id: string;
  readonly name: string;
  readonly place: Caret | null;
}

export type ServerMessage =
  | {
      readonly type: "hello";
      readonly connection: string;
      /** The Yjs client id of this tab; 0 for a reader. */
      readonly client: number;
      /** The proof, used when reconnecting, that the client id belongs to this tab. */
      readonly resume: string;
      readonly epoch: string;
      readonly mayWrite: boolean;
      readonly foldedSeq: number;
    }
  /** The tab's update number `n` is stored durably, as row `seq`. */
  | { readonly type: "stored"; readonly n: number; readonly seq: number }
  /** Every update up to `seq` is in the body, which now has this version. */
  | { readonly type: "saved"; readonly seq: number; readonly version: string }
  | { readonly type: "people"; readonly people: readonly Person[] }
  /** The typed text is stored, but the body cannot accept it. */
  | { readonly type: "refused"; readonly code: string; readonly message: string };

/** The header before an update that is sent to a tab. */
export interface RowHeader {
  readonly seq: number;
  readonly connection: string;
  readonly place: Caret | null;
  /** A message from the server about the update, shown to the user. */
  readonly notice?: string | undefined;
}

/**
 * The header before the live state. Updates follow as parts, after a state vector of the tab's old epoch if
 * `hasVector`.
 */
export interface StateHeader {
  readonly epoch: string;
  readonly encoding: number;
  readonly seq: number;
  readonly foldedSeq: number;
  readonly foldedVersion: string;
  readonly hasVector: boolean;
  /** A Yjs client id for a tab that may write, with its proof, so the tab can write before its socket is open. */
  readonly client?: number | undefined;
  readonly resume?: string | undefined;
}

/** Close codes of a socket. */
export const CLOSE = {
  garbage: 4400,
  signedOut: 4401,
  notAllowed: 4403,
  gone: 4404,
  slow: 4408,
  /** The live state was rebuilt: fetch it and merge. */
  epoch: 4409,
  tooLong: 4413,
  tooMany: 4429,
  restart: 1012,
} as const;

/** Max bytes of one update. */
export const MAX_UPDATE_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 2048;

/** Packs a JSON header and binary parts into one frame. */
export function packFrame(header: object, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(JSON.stringify(header));
  const size = 8 + head.length + parts.reduce((sum, part) => sum + 4 + part.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, head.length);
  view.setUint32(4, parts.length);
  bytes.set(head, 8);
  let at = 8 + head.length;
  for (const part of parts) {
    view.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/** Unpacks a frame; undefined if the bytes are not one. */
export function unpackFrame(bytes: Uint8Array): { readonly header: unknown; readonly parts: Uint8Array[] } | undefined {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [length, count] = [view.getUint32(0), view.getUint32(4)];
  if (length > MAX_HEADER_BYTES || 8 + length > bytes.length) return undefined;
  const header = parseJson(bytes.subarray(8, 8 + length));
  const parts: Uint8Array[] = [];
  let at = 8 + length;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) return undefined;
    const size = view.getUint32(at);
    if (at + 4 + size > bytes.length) return undefined;
    parts.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return header === undefined || at !== bytes.length ? undefined : { header, parts };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const isOffset = (value: unknown): value is number => isSafeInteger(value) && value >= 0;

/** Parses a caret that a client sent; null if it is not one. */
export function readCaret(value: unknown): Caret | null {
  if (!isRecord(value)) return null;
  const { block_id, anchor, head } = value;
  if (typeof block_id !== "string" || block_id.length > 64 || !isOffset(anchor) || !isOffset(head)) return null;
  return { block_id, anchor, head };
}
