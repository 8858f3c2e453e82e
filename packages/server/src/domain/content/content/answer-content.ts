import type { Warning } from "@svc/document/markdown/serialise";
import { invalidRequest } from "../../../errors.ts";
import { type Answer, notModified, quoted } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import type { RequestFacts } from "../../../http/route.ts";
import { encodingFor } from "../../../http/wire/compress.ts";
import { packedAnswer } from "./packed-answers.ts";
import { type BodySource, type ReadyText, render, styleFor } from "./render.ts";
import type { Format } from "./schema.ts";

const MAX_HEADER = 6000;

interface ContentQuery {
  readonly format?: Format;
  readonly annotate?: "anchors";
  /** Text sent before the body. The version does not cover it, so such a response is never a 304. */
  readonly head?: string | undefined;
  /** JSON sent with `head`: how the document's file writes its addresses. */
  readonly addresses?: string | undefined;
  /** Adds content that the version does not cover; undefined if the text needs none. */
  readonly finish?: ((ready: ReadyText) => Promise<string | undefined>) | undefined;
}

/**
 * Responds with a body in the requested form. Text forms are sent bare unless the caller accepts JSON. `current` is the
 * version seen first; after a concurrent write, the response has the newer version of the source.
 */
export async function answerContent(
  current: string,
  query: ContentQuery,
  request: Pick<RequestFacts, "headers">,
  source: BodySource,
): Promise<Answer> {
  const format = query.format ?? "tiptap-json";
  if (query.annotate && format !== "markdown") throw invalidRequest("query.annotate", "goes with format=markdown");
  const { head, finish } = query;
  const { headers } = request;
  const asJson = /\bapplication\/json\b/.test(headers.accept ?? "");
  const form = query.annotate ? "markdown-anchors" : format;
  const fromVersion = async (make: () => Promise<ReadyText>) =>
    alreadyHas(headers["if-none-match"], current)
      ? notModified(current)
      : packedAnswer(
          { version: current, style: styleFor(form, source) },
          `${form}${asJson ? " json" : ""}`,
          encodingFor(headers["accept-encoding"]),
          async () => {
            const ready = await make();
            return { answer: plainAnswer(ready, format, asJson), version: ready.version, style: ready.style };
          },
        );
  if (head === undefined && finish === undefined) return fromVersion(() => render(current, form, source));
  const ready = await render(current, form, source);
  const finished = await finish?.(ready);
  if (head === undefined && finished === undefined) return fromVersion(async () => ready);
  const { version, warnings } = ready;
  const text = (head ?? "") + (finished ?? ready.text);
  return plainAnswer({ version, warnings, text, bytes: undefined }, format, asJson, query.addresses);
}

function plainAnswer(ready: ReadyText, format: Format, asJson: boolean, addresses?: string): Answer {
  const { warnings, version } = ready;
  const headers = { etag: quoted(version), vary: "accept" };
  const more = addresses === undefined ? "" : `"file_addresses":${addresses},`;
  const tail = `${more}"version":${JSON.stringify(version)},"warnings":${JSON.stringify(warnings)}}`;
  if (format === "tiptap-json") {
    const { bytes = Buffer.from(ready.text) } = ready;
    return { headers, dataBytes: [TIPTAP_HEAD, bytes, Buffer.from(`,${tail}`)] };
  }
  if (asJson) return { headers, dataJson: `{"format":"${format}","content":${JSON.stringify(ready.text)},${tail}` };
  return {
    headers: { ...headers, ...warningHeaders(warnings), ...(format === "html" && HTML_HEADERS) },
    raw: { contentType: `text/${format}; charset=utf-8`, body: ready.bytes ?? ready.text },
  };
}

const TIPTAP_HEAD = Buffer.from('{"format":"tiptap-json","document":');

/** If a browser opens it, nothing runs and nothing is fetched. */
const HTML_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; sandbox",
};

/** As many warnings as fit into a header; the JSON form has all of them. */
function warningHeaders(warnings: readonly Warning[]): Record<string, string> {
  if (warnings.length === 0) return {};
  const shown: string[] = [];
  let length = 2;
  for (const warning of warnings) {
    const text = JSON.stringify(warning).replace(/[^\x20-\x7e]/g, escapeUnit);
    length += text.length + 1;
    if (length > MAX_HEADER) break;
    shown.push(text);
  }
  return { "x-content-warnings": `[${shown.join(",")}]`, "x-content-warnings-total": String(warnings.length) };
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
