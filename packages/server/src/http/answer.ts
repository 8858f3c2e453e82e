import type { Readable, Writable } from "node:stream";
import { isRecord } from "@svc/document/guards";
import { typeOf } from "../error-codes.ts";
import type { ApiError, ErrorDetails } from "../errors.ts";
import { finish, type Packed } from "./wire/packed.ts";

/** The result of a handler. The envelope is added when it is serialised. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the created object, for the audit log. */
  readonly createdId?: string | number;
  /** Members of the envelope beside `request_id`: `data`, and for lists `page` and more. */
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** Ready JSON text of `data`, sent as it is, before the other members of the envelope. */
  readonly dataJson?: string;
  /** Ready JSON in UTF-8, as consecutive pieces; without other members. */
  readonly dataBytes?: readonly Buffer[];
  /** Instead of an envelope: text, bytes or a stream of another content type. */
  readonly raw?: { readonly contentType: string; readonly body: string | Buffer | Readable };
  /**
   * Instead of all three, if the request accepts compression: the text up to `request_id` of an envelope, or a whole
   * raw answer.
   */
  readonly packed?: { readonly contentType?: string; readonly text: Packed };
}

/** A stream that can write itself to a connection, which takes less work than reading it. */
export interface SelfWriting extends Readable {
  writeTo(to: Writable): Promise<void>;
}

export const quoted = (version: string): string => `"${version}"`;

/** A list whose items are still objects: the browser's pages show the same items without the envelope. */
export interface ListAnswer<T> extends Answer {
  readonly envelope: { readonly data: readonly T[]; readonly page: Page };
}

export const ok = (data: unknown, options: { etag?: string; headers?: Record<string, string> } = {}): Answer => ({
  headers: { ...options.headers, ...(options.etag && { etag: quoted(options.etag) }) },
  envelope: { data },
});

export const created = (data: unknown, options: { etag?: string; headers?: Record<string, string> } = {}): Answer => ({
  ...ok(data, options),
  status: 201,
  ...idOf(data),
});

const idOf = (data: unknown): Pick<Answer, "createdId"> =>
  isRecord(data) && (typeof data.id === "string" || typeof data.id === "number") ? { createdId: data.id } : {};

export const accepted = (data: unknown): Answer => ({ ...ok(data), status: 202 });

export const deleted = (id: string | number): Answer => ok({ id, deleted: true });

export interface Page {
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

export const list = <T>(data: readonly T[], page: Page, more: Record<string, unknown> = {}): ListAnswer<T> => ({
  envelope: { data, page, ...more },
});

/** A list that is always returned whole. */
export const wholeList = <T>(data: readonly T[]): ListAnswer<T> =>
  list(data, { cursor: null, next_cursor: null, has_more: false });

export const notModified = (etag: string): Answer => ({ status: 304, headers: { etag: quoted(etag) } });

/** A serialised answer, as it is sent and as an idempotency key stores it. */
export interface Written {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Pieces are consecutive bytes. */
  readonly body: string | Buffer | readonly Buffer[] | Readable;
}

const JSON_TYPE = "application/json; charset=utf-8";

export function write(answer: Answer, requestId: string): Written {
  const status = answer.status ?? 200;
  const headers: Record<string, string> = { ...answer.headers };
  if (status === 304) return { status, headers, body: "" };
  headers["content-type"] = answer.raw?.contentType ?? answer.packed?.contentType ?? JSON_TYPE;
  if (answer.packed) return writePacked(status, headers, answer.packed, requestId);
  if (answer.dataBytes)
    return { status, headers, body: [...envelopeStart(answer.dataBytes), Buffer.from(envelopeTail(requestId))] };
  return { status, headers, body: answer.raw?.body ?? writeEnvelope(answer, requestId) };
}

/** The beginning of an envelope around ready JSON; `envelopeTail` is the rest. */
export const envelopeHead = (dataJson: string): string => `{"data":${dataJson}`;
/** The beginning of an envelope, in pieces. */
export const envelopeStart = (dataBytes: readonly Buffer[]): readonly Buffer[] => [ENVELOPE_HEAD, ...dataBytes];
const ENVELOPE_HEAD = Buffer.from(envelopeHead(""));
const envelopeTail = (requestId: string): string => `,"request_id":${JSON.stringify(requestId)}}`;

function writePacked(
  status: number,
  headers: Record<string, string>,
  { contentType, text }: NonNullable<Answer["packed"]>,
  requestId: string,
): Written {
  headers["content-encoding"] = text.encoding;
  return { status, headers, body: finish(text, contentType === undefined ? envelopeTail(requestId) : "") };
}

function writeEnvelope({ envelope, dataJson }: Answer, requestId: string): string {
  if (dataJson !== undefined && !envelope) return envelopeHead(dataJson) + envelopeTail(requestId);
  const rest = JSON.stringify({ ...envelope, request_id: requestId });
  return dataJson === undefined ? rest : `{"data":${dataJson},${rest.slice(1)}`;
}

const errorBody = (error: ApiError): { type: string; code: string; message: string; details: ErrorDetails } => ({
  type: typeOf(error.status),
  code: error.code,
  message: error.message,
  details: error.details,
});

/** `members` are further members of the body. */
export function writeError(
  error: ApiError,
  requestId: string,
  members: Record<string, unknown> = {},
): Written & { readonly body: string } {
  const headers: Record<string, string> = { "content-type": JSON_TYPE, ...error.headers };
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  return {
    status: error.status,
    headers,
    body: JSON.stringify({ error: errorBody(error), ...members, request_id: requestId }),
  };
}
