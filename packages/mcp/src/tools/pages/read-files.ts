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
  if (file.content_type !== UNKNOWN_TYPE && file.text_status !== "none")
    return readPages(client, file, { head, first: Math.max(1, Number(from)), max_tokens });
  const begin = Number(from);
  if (begin >= file.size) return { text: lines(head, "", "(There is nothing more.)") };
  const bytes = await bytesOf(client, file, begin, begin + max_tokens * BYTES_PER_TOKEN);
  const whole = textOf(bytes);
  if (whole === undefined) return { text: noText(head, file.url, null) };
  const text = cutText(whole, Math.max(1, roomIn(max_tokens) - costOf([head, ""]) - TOKENS_OF_MORE));
  const end = begin + Buffer.byteLength(text);
  return { text: lines(head, "", text, end < file.size && moreFrom(end)) };
}

interface Pages {
  readonly head: string;
  readonly first: number;
  readonly max_tokens: number;
}

/** The text of a PDF or an Office file, page by page; `from` is a page. */
async function readPages(
  client: Client,
  { id, url }: Attachment,
  { head, first, max_tokens }: Pages,
): Promise<Outcome> {
  const budget = Math.max(1, roomIn(max_tokens) - costOf([head, "", ""]) - TOKENS_OF_MORE - TOKENS_OF_LABELS);
  const { data } = await client.get("/attachments/{id}/text", {
    path: { id },
    query: { page: first, max_tokens: budget },
  });
  if (data.text_status === "pending")
    return { text: lines(head, "Its text is still being read. Ask again in a few seconds.") };
  if (data.text_status !== "ready") return { text: noText(head, url, data.reason) };
  const texts = data.pages.map(({ page, label, text, is_cut }) =>
    lines(
      `[page ${page} of ${data.page_count}${label === null ? "" : `, ${oneLine(label, 60)}`}]`,
      cutText(text, budget),
      is_cut && "… (the page goes on; ask for it alone with more max_tokens)",
    ),
  );
  return {
    text: lines(
      head,
      "",
      texts.join("\n\n"),
      data.next_page !== null && moreFrom(data.next_page),
      data.next_page === null && data.truncated && "The file has more text than is kept.",
    ),
  };
}

const noText = (head: string, url: string, reason: string | null): string =>
  lines(
    head,
    reason === null || reason === "unknown_type" ? "It is no text." : `It is no text that can be read (${reason}).`,
    "A program that speaks HTTP gets it from the service at",
    url,
  );

/** The line above each page. */
const TOKENS_OF_LABELS = 40;

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
