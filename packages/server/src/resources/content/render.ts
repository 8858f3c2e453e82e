import { joinHtmlRuns } from "@svc/document/html/run";
import { anchorBlock } from "@svc/document/markdown/anchors";
import { joinRuns, type Warning } from "@svc/document/markdown/serialise";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../bodies/body.ts";
import type { RunForm, Runs } from "../../bodies/renderings.ts";
import { TextCache } from "../../cache/text-cache.ts";
import { yieldToEventLoop } from "../../db/statement/batches.ts";
import { blockMarkdown } from "./block-markdown.ts";
import type { Format } from "./schema.ts";

/** A body in one form, as text. Follows from the version alone, so it is made once. */
export interface Rendered {
  readonly version: string;
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Where a body comes from, whole or as stored text. The two may be of different versions: a write may come between. */
export interface BodySource {
  body(): Promise<StoredBody>;
  runs<Form extends RunForm>(form: Form): Promise<{ readonly version: string; readonly runs: Runs[Form][] }>;
}

const TEXTS = new TextCache<readonly Warning[]>("texts", { share: 1 / 4 });

type Form = Format | "markdown-anchors";

const renderers: Record<Form, (source: BodySource) => Promise<Rendered>> = {
  "tiptap-json": async (source) => {
    const { version, json } = await source.body();
    return { version, text: json, warnings: [] };
  },
  markdown: async (source) => {
    const { version, runs } = await source.runs("markdown");
    return { version, ...joinRuns(runs) };
  },
  html: async (source) => {
    const { version, runs } = await source.runs("html");
    return { version, text: joinHtmlRuns(runs), warnings: [] };
  },
  "markdown-anchors": async (source) => anchored(await source.body()),
};

/** So many blocks are rendered before others get their turn. */
const BLOCKS = 400;

async function anchored(stored: StoredBody): Promise<Rendered> {
  const { version, body, blocks } = stored;
  const slugOf = slugs(body);
  for (let i = 0; i < blocks.length; i += BLOCKS) {
    if (i > 0) await yieldToEventLoop();
    blocks.slice(i, i + BLOCKS).forEach(blockMarkdown);
  }
  const parts = blocks.map((block) => ({ id: idOf(block), ...blockMarkdown(block) }));
  return {
    version,
    text: parts.map(({ id, text }) => anchorBlock(id, slugOf.get(id), text)).join("\n"),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

/**
 * From the cache when this version was asked for in this form before; otherwise from the source, which may have a later one
 * by then: the version given back is the rendered one's.
 */
export async function render(version: string, form: Form, source: BodySource): Promise<Rendered> {
  const cached = TEXTS.get(`${version} ${form}`);
  if (cached) return { version, text: cached.text, warnings: cached.about };
  const rendered = await renderers[form](source);
  TEXTS.put(`${rendered.version} ${form}`, rendered.text, rendered.warnings);
  return rendered;
}
