import { isRecord, isSafeInteger } from "@svc/document/guards";

/** What goes over the socket: updates as binary frames, everything else as JSON text. */

/** Where somebody's caret stands: a block and an offset in its text; `head` is the other end of a selection. */
export interface Place {
  readonly block_id: string;
  readonly anchor: number;
  readonly head: number;
}

/** Somebody who has the document open. */
export interface Person {
  readonly connection: string;
  readonly user_id: string;
  readonly name: string;
  readonly place: Place | null;
}

export type ServerMessage =
  | {
      readonly type: "hello";
      readonly connection: string;
      /** The Yjs client id of this tab; 0 for a reader. */
      readonly client: number;
      /** Proves on the next connection that the client id is this tab's. */
      readonly resume: string;
      readonly epoch: string;
      readonly mayWrite: boolean;
      readonly foldedSeq: number;
    }
  /** The update that the tab called `n` is durable, as row `seq`. */
  | { readonly type: "stored"; readonly n: number; readonly seq: number }
  /** Everything up to `seq` is in the body, whose version this is. */
  | { readonly type: "saved"; readonly seq: number; readonly version: string }
  | { readonly type: "people"; readonly people: readonly Person[] }
  /** What was typed is kept, but the body cannot take it. */
  | { readonly type: "refused"; readonly code: string; readonly message: string };

/** Ahead of an update that a tab is given. */
export interface RowHeader {
  readonly seq: number;
  readonly connection: string;
  readonly place: Place | null;
  /** What the server has to say about it, for people. */
  readonly notice?: string | undefined;
}

/** Ahead of the live state: updates follow as parts, behind a state vector of the tab's old epoch if `hasVector`. */
export interface StateHeader {
  readonly epoch: string;
  readonly encoding: number;
  readonly seq: number;
  readonly foldedSeq: number;
  readonly foldedVersion: string;
  readonly hasVector: boolean;
  /** A Yjs client id of its own for a tab that may write, with the proof of it: it writes before its socket is open. */
  readonly client?: number | undefined;
  readonly resume?: string | undefined;
}

/** Why a socket was closed, as its close code. */
export const CLOSE = {
  garbage: 4400,
  signedOut: 4401,
  notAllowed: 4403,
  gone: 4404,
  slow: 4408,
  /** The live state was made again: fetch it and merge. */
  epoch: 4409,
  tooLong: 4413,
  tooMany: 4429,
  restart: 1012,
} as const;

/** Bytes of one update. */
export const MAX_UPDATE_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 2048;

/** A JSON header and parts of bytes as one. */
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

/** The same backwards; undefined for what is no such frame. */
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

/** A place as somebody sent it; null for anything else. */
export function readPlace(value: unknown): Place | null {
  if (!isRecord(value)) return null;
  const { block_id, anchor, head } = value;
  if (typeof block_id !== "string" || block_id.length > 64 || !isOffset(anchor) || !isOffset(head)) return null;
  return { block_id, anchor, head };
}
