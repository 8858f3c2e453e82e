import type { CallOptions, Client } from "./client.ts";
import type { Attachment, ImportJob } from "./generated/api.ts";
import { type JobOf, type WaitOptions, waitForJob } from "./jobs.ts";
import { RequestStream } from "./request-stream.ts";
import { inBrowser } from "./runtime.ts";

type Bytes = ReadableStream<Uint8Array>;

/**
 * The content to send. A `Blob` (a `File`, Node's `openAsBlob`) is read while it is sent and can be sent again, as can what a
 * function opens; a stream is sent once.
 */
export type Source = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | Bytes | (() => Bytes);

export interface UploadOptions extends CallOptions {
  /** Told how many bytes of the file have been handed to the connection. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** Uploads a file to a document; put its id as `attachmentId` into the body to show it there. */
export async function uploadAttachment(
  client: Client,
  file: { readonly documentId: string; readonly fileName: string; readonly content: Source },
  options: UploadOptions = {},
): Promise<Attachment> {
  const body = await formOf({ document_id: file.documentId }, file, options);
  return (await client.post("/attachments", { timeoutMs: 0, ...options, body: body as FormData })).data;
}

/** Imports an archive (an export of svc, Notion or Confluence, a ZIP of Markdown or HTML files, a Word file) as a new knowledge base, and waits until it is there. */
export async function importKnowledgeBase(
  client: Client,
  archive: { readonly content: Source; readonly name?: string | undefined; readonly fileName?: string | undefined },
  options: UploadOptions & { readonly wait?: WaitOptions<JobOf<"/import-jobs/{id}">> } = {},
): Promise<ImportJob> {
  const { wait, ...sending } = options;
  const fields: Record<string, string> = archive.name === undefined ? {} : { name: archive.name };
  const body = await formOf(fields, { fileName: archive.fileName ?? "archive.zip", content: archive.content }, sending);
  const sent = { timeoutMs: 0, ...sending, body: body as FormData };
  const { data: job } = await client.post("/knowledge-bases/import", sent);
  return waitForJob(client, "/import-jobs/{id}", job.id, { signal: options.signal, ...wait });
}

interface NamedSource {
  readonly fileName: string;
  readonly content: Source;
}

async function formOf(
  fields: Readonly<Record<string, string>>,
  { fileName, content }: NamedSource,
  { onProgress }: UploadOptions,
): Promise<FormData | RequestStream> {
  const isStream = content instanceof ReadableStream || typeof content === "function";
  if (!inBrowser() && (isStream || onProgress)) return streamedForm(fields, fileName, content, onProgress);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const blob = content instanceof Blob ? content : await collect(content);
  form.append("file", blob, fileName);
  return form;
}

/** A browser cannot stream a request to every server, so there a stream is gathered first. */
const collect = (content: Exclude<Source, Blob>): Promise<Blob> | Blob =>
  content instanceof ReadableStream || typeof content === "function"
    ? new Response(typeof content === "function" ? content() : content).blob()
    : new Blob([content]);

function streamedForm(
  fields: Readonly<Record<string, string>>,
  fileName: string,
  content: Source,
  onProgress: UploadOptions["onProgress"],
): RequestStream {
  const boundary = `svc-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const head = Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join("");
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${escapeName(fileName)}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const open = () => joined(head + file, openSource(content), `\r\n--${boundary}--\r\n`, onProgress);
  const repeatable = !(content instanceof ReadableStream);
  return new RequestStream(`multipart/form-data; boundary=${boundary}`, repeatable, open);
}

/** As browsers write it. */
const escapeName = (name: string): string =>
  name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

function openSource(content: Source): Bytes {
  if (content instanceof ReadableStream) return content;
  if (typeof content === "function") return content();
  return (content instanceof Blob ? content : new Blob([content])).stream();
}

/** Text, then the file, then text, as one stream that reads no faster than it is read. */
function joined(
  before: string,
  file: Bytes,
  after: string,
  onProgress: UploadOptions["onProgress"],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const reader = file.getReader();
  let sent = 0;
  return new ReadableStream({
    start: (out) => out.enqueue(encoder.encode(before)),
    pull: async (out) => {
      const { done, value } = await reader.read();
      if (done) {
        out.enqueue(encoder.encode(after));
        return out.close();
      }
      sent += value.byteLength;
      onProgress?.(sent);
      out.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
