import type { CallOptions, Client } from "./client.ts";
import { ConnectionError } from "./errors.ts";
import { tooLong } from "./read-limited.ts";

export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  /** In bytes, where it is known beforehand. */
  readonly size: number | undefined;
  readonly fileName: string | undefined;
  readonly contentType: string;
}

export interface DownloadOptions extends CallOptions {
  readonly onProgress?: ((receivedBytes: number) => void) | undefined;
  /** Its size, where it is known: a longer download is refused. */
  readonly maxBytes?: number | undefined;
}

interface SpreadsheetOptions extends DownloadOptions {
  readonly format: "csv" | "xlsx" | "markdown";
  /** Its name, or the id of its table. */
  readonly sheet?: string | undefined;
  readonly range?: string | undefined;
  /** Options of CSV. */
  readonly values?: "results" | "formulas" | undefined;
}

/** An attachment's content. A connection that breaks off is opened again where it broke. */
export async function downloadAttachment(client: Client, id: string, options: DownloadOptions = {}): Promise<Download> {
  const get = (headers: Record<string, string>) =>
    client.raw("get", "/attachments/{id}", {
      ...options,
      path: { id },
      headers: { accept: "*/*", ...options.headers, ...headers },
    });
  const first = await get({});
  const etag = first.headers.get("etag");
  const resume = async (received: number): Promise<Response> => {
    const rest = await get({ range: `bytes=${received}-`, ...(etag && { "if-range": etag }) });
    if (rest.status === 206) return rest;
    throw new ConnectionError("connection_lost", "The download broke off, and the file has changed since.");
  };
  return downloadOf(client, first, options, resume);
}

/** A knowledge base as a ZIP archive, made while it is sent. It cannot be resumed: a broken one is an error. */
export async function exportKnowledgeBase(
  client: Client,
  id: number,
  options: DownloadOptions = {},
): Promise<Download> {
  const headers = { accept: "*/*", ...options.headers };
  const response = await client.raw("get", "/knowledge-bases/{id}/export", { ...options, path: { id }, headers });
  return downloadOf(client, response, options);
}

/** A folder and what is below it, likewise. */
export async function exportFolder(client: Client, id: number, options: DownloadOptions = {}): Promise<Download> {
  const headers = { accept: "*/*", ...options.headers };
  const response = await client.raw("get", "/folders/{id}/export", { ...options, path: { id }, headers });
  return downloadOf(client, response, options);
}

/** A spreadsheet as a file, or as Markdown with the results and formulas of its cells. */
export async function exportSpreadsheet(
  client: Client,
  id: string,
  { format, sheet, range, values, ...options }: SpreadsheetOptions,
): Promise<Download> {
  const headers = { accept: "*/*", ...options.headers };
  const query = { format, ...(sheet && { sheet }), ...(range && { range }), ...(values && { values }) };
  const response = await client.raw("get", "/documents/{id}/spreadsheet", { ...options, path: { id }, query, headers });
  return downloadOf(client, response, options);
}

type Resume = (received: number) => Promise<Response>;
const RESUMES = 5;

function downloadOf(
  { baseUrl }: Client,
  response: Response,
  { onProgress, signal, maxBytes = Number.POSITIVE_INFINITY }: DownloadOptions,
  resume?: Resume,
): Download {
  const facts = factsOf(response.headers);
  const limit = Math.min(maxBytes, facts.size ?? maxBytes);
  let reader = readerOf(response);
  let received = 0;
  let resumes = 0;
  const read = async (): ReturnType<typeof reader.read> => {
    try {
      return await reader.read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!resume || ++resumes > RESUMES)
        throw new ConnectionError("connection_lost", `The download broke off after ${received} bytes.`, {
          cause: error,
        });
      reader = readerOf(await resume(received));
      return read();
    }
  };
  const stream = new ReadableStream<Uint8Array>({
    pull: async (out) => {
      const { done, value } = await read();
      if (done) return out.close();
      received += value.byteLength;
      if (received > limit) {
        reader.cancel().catch(() => {});
        throw tooLong(baseUrl, limit);
      }
      onProgress?.(received);
      out.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { stream, ...facts };
}

const readerOf = (response: Response): ReadableStreamDefaultReader<Uint8Array> =>
  (response.body ?? new Blob([]).stream()).getReader();

function factsOf(headers: Headers): Omit<Download, "stream"> {
  const length = headers.get("content-encoding") ? null : headers.get("content-length");
  return {
    size: length === null ? undefined : Number(length),
    fileName: fileNameOf(headers.get("content-disposition") ?? ""),
    contentType: headers.get("content-type") ?? "application/octet-stream",
  };
}

/** The name in a `Content-Disposition`, in its exact form where there is one. */
export function fileNameOf(disposition: string): string | undefined {
  const exact = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (exact) return decodeURIComponent(exact);
  } catch {
    // Not what it says it is: the plain form remains.
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, "$1");
}
