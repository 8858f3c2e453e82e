import { type Attachment, type Client, type Document, listAll } from "@svc/sdk";
import { costOf, cutText, largestFitting, roomIn } from "../../budget.ts";
import { lines, moreFrom, oneLine, plural, TOKENS_OF_MORE } from "../../text.ts";
import type { Outcome } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

/** A picture that a model is shown. */
const MAX_PICTURE_BYTES = 2_000_000;
/** Max characters of text per token of the budget. */
const BYTES_PER_TOKEN = 8;

/** Also for text: the type follows from the first bytes of a file. */
const UNKNOWN_TYPE = "application/octet-stream";

interface Asked {
  readonly max_tokens: number;
  readonly from?: string | undefined;
}

/** The files that are attached to a document, each with the Markdown that shows it. */
export async function listFiles(
  client: Client,
  { id, title }: Document,
  { max_tokens, from }: Asked,
): Promise<Outcome> {
  const files = await Array.fromAsync(
    listAll(client, "/documents/{id}/attachments", { path: { id }, query: { limit: 100 } }),
  );
  if (files.length === 0) return { text: `**${oneLine(title)}** has no files.` };
  const begin = from === undefined ? 0 : files.findIndex((file) => file.id.endsWith(from));
  if (begin < 0)
    throw new UsageError(`**not_found**: there is no file ${oneLine(from ?? "")} here.`, "leave from out.");
  const left = files.slice(begin);
  const head = `**${oneLine(title)}**: ${plural(files.length, "file")}`;
  const room = roomIn(max_tokens) - costOf([head]) - TOKENS_OF_MORE;
  const shown = left.map(fileLine);
  const count = Math.max(
    1,
    largestFitting(shown.length, (most) => costOf(shown.slice(0, most)) <= room),
  );
  const next = left[count];
  return { text: lines(head, ...shown.slice(0, count), next && moreFrom(next.id.slice(-8))) };
}

const fileLine = (file: Attachment): string =>
  `- ${file.markdown} ${factsOf(file)}, ${file.reference_count > 0 ? `shown ${plural(file.reference_count, "time")}` : "not shown"}`;

export const factsOf = ({ content_type, size, width, height }: Attachment): string =>
  [content_type !== UNKNOWN_TYPE && content_type, `${size} bytes`, width !== null && `${width} × ${height} pixels`]
    .filter((fact) => fact !== false)
    .join(", ");

/** A file itself: text within the budget, a picture to look at, of all else what it is. */
export async function readFile(client: Client, id: string, { max_tokens, from = "0" }: Asked): Promise<Outcome> {
  if (!/^\d{1,12}$/.test(from))
    throw new UsageError("**invalid_arguments**: from is a number for a file.", "send it as the answer gave it.");
  const { data: file } = await client.get("/attachments/{id}/metadata", { path: { id } });
  const head = `**${oneLine(file.file_name)}** (${factsOf(file)})`;
  if (isPicture(file)) return { text: head, image: await pictureOf(client, file) };
  const begin = Number(from);
  if (begin >= file.size) return { text: lines(head, "", "(There is nothing more.)") };
  const bytes = await bytesOf(client, file, begin, begin + max_tokens * BYTES_PER_TOKEN);
  const whole = textOf(bytes);
  if (whole === undefined)
    return { text: lines(head, "It is no text. A program that speaks HTTP gets it from the service at", file.url) };
  const text = cutText(whole, Math.max(1, roomIn(max_tokens) - costOf([head, ""]) - TOKENS_OF_MORE));
  const end = begin + Buffer.byteLength(text);
  return { text: lines(head, "", text, end < file.size && moreFrom(end)) };
}

const isPicture = ({ content_type, size }: Attachment): boolean =>
  /^image\/(?:png|jpeg|gif|webp)$/.test(content_type) && size <= MAX_PICTURE_BYTES;

async function pictureOf(client: Client, { id, content_type: mimeType }: Attachment) {
  const response = await client.raw("get", "/attachments/{id}", { path: { id }, headers: { accept: "*/*" } });
  return { data: Buffer.from(await response.arrayBuffer()).toString("base64"), mimeType };
}

async function bytesOf(client: Client, { id }: Attachment, begin: number, end: number): Promise<ArrayBuffer> {
  const headers = { accept: "*/*", range: `bytes=${begin}-${end - 1}` };
  return (await client.raw("get", "/attachments/{id}", { path: { id }, headers })).arrayBuffer();
}

/** Bytes as text, a character that is cut at the end left out; undefined for what is no text. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
