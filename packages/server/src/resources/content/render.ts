import { renderBody } from "@svc/document/html/render";
import { anchorBlock } from "@svc/document/markdown/anchors";
import { joinRuns, type MarkdownRun, serialiseRun, type Warning } from "@svc/document/markdown/serialise";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import type { Segment } from "../../bodies/segment.ts";
import { breathe } from "../../db/batches.ts";
import { blockMarkdown } from "./block-markdown.ts";
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

/** So many blocks or segments are rendered before others get their turn. */
const BLOCKS = 400;
const SEGMENTS = 50;

async function eachRun<T>(items: readonly T[], size: number, render: (run: readonly T[]) => void): Promise<void> {
  if (items.length <= size) return render(items);
  for (let i = 0; i < items.length; i += size) {
    if (i > 0) await breathe();
    render(items.slice(i, i + size));
  }
}

/** A segment never changes: after an edit of a long body only the edited one is written anew. */
const segmentMarkdown = new WeakMap<Segment, MarkdownRun>();
const LONG_SEGMENTS = 32;

function markdownOf(segment: Segment, isKept: boolean): MarkdownRun {
  const known = segmentMarkdown.get(segment);
  if (known) return known;
  const run = serialiseRun(segment.readBlocks());
  if (isKept) segmentMarkdown.set(segment, run);
  return run;
}

async function markdown({ segments }: StoredBody): Promise<Rendered> {
  const isLong = segments.length > LONG_SEGMENTS;
  const runs: MarkdownRun[] = [];
  await eachRun(segments, SEGMENTS, (some) => {
    for (const segment of some) runs.push(markdownOf(segment, isLong));
  });
  return joinRuns(runs);
}

async function html(stored: StoredBody): Promise<Rendered> {
  const body = stored.readOnce();
  const context = { slugs: slugs(body) };
  const parts: string[] = [];
  await eachRun(body.content, BLOCKS, (run) => void parts.push(renderBody(run, context)));
  return { text: parts.join(""), warnings: [] };
}

async function anchored(body: StoredBody): Promise<Rendered> {
  const slugOf = slugs(body.body);
  await eachRun(body.blocks, BLOCKS, (run) => run.forEach(blockMarkdown));
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
