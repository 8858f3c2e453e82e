import { renderBody } from "@svc/document/html/render";
import { anchorBlock } from "@svc/document/markdown/anchors";
import { joinMarkdown, type Warning } from "@svc/document/markdown/serialise";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import { breathe } from "../../db/batches.ts";
import { blockMarkdown, markdownOf } from "./block-markdown.ts";
import type { Format } from "./schema.ts";

const MEMORY_BYTES = 32 * 1024 * 1024;

/** A body in one form, as text. Follows from the version alone, so it is made once. */
export interface Rendered {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

const known = new Memory<Rendered>(MEMORY_BYTES);

type Form = Format | "markdown-anchors";

const renderers: Record<Form, (body: StoredBody) => Promise<Rendered>> = {
  "tiptap-json": async (body) => ({ text: body.json, warnings: [] }),
  markdown,
  "markdown-anchors": anchored,
  html,
};

/** So many blocks are rendered before others get their turn. */
const RUN = 400;

async function eachRun(blocks: readonly Node[], render: (run: readonly Node[]) => void): Promise<void> {
  for (let i = 0; i < blocks.length; i += RUN) {
    if (i > 0) await breathe();
    render(blocks.slice(i, i + RUN));
  }
}

async function markdown(body: StoredBody): Promise<Rendered> {
  const warnings: Warning[] = [];
  await eachRun(body.blocks, (run) => {
    for (const block of run) warnings.push(...blockMarkdown(block).warnings);
  });
  return { text: joinMarkdown(body.blocks, markdownOf), warnings };
}

async function html(body: StoredBody): Promise<Rendered> {
  const context = { slugs: slugs(body.body) };
  const parts: string[] = [];
  await eachRun(body.blocks, (run) => void parts.push(renderBody(run, context)));
  return { text: parts.join(""), warnings: [] };
}

async function anchored(body: StoredBody): Promise<Rendered> {
  const slugOf = slugs(body.body);
  await eachRun(body.blocks, (run) => run.forEach(blockMarkdown));
  const parts = body.blocks.map((block) => ({ id: idOf(block), ...blockMarkdown(block) }));
  return {
    text: parts.map(({ id, text }) => anchorBlock(id, slugOf.get(id), text)).join("\n"),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

/**
 * From memory when this version was asked for in this form before; otherwise `load` brings the body, which may be a
 * later one by then: the version given back is the rendered one's.
 */
export async function render(
  version: string,
  form: Form,
  load: () => Promise<StoredBody>,
): Promise<Rendered & { readonly version: string }> {
  const kept = known.get(`${version} ${form}`);
  if (kept) return { ...kept, version };
  const body = await load();
  const rendered = await renderers[form](body);
  known.set(`${body.version} ${form}`, rendered, rendered.text.length * 2 + 200);
  return { ...rendered, version: body.version };
}
