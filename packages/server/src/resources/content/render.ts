import { renderBody } from "@svc/document/html/render";
import { anchorBlock } from "@svc/document/markdown/anchors";
import { serialiseBody, type Warning } from "@svc/document/markdown/serialise";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../bodies/body.ts";
import { Memory } from "../../bodies/memory.ts";
import { blockMarkdown } from "./block-markdown.ts";
import type { Format } from "./schema.ts";

const MEMORY_BYTES = 48 * 1024 * 1024;

/** A body in one form, as text. Follows from the version alone, so it is made once. */
export interface Rendered {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

const known = new Memory<Rendered>(MEMORY_BYTES);

type Form = Format | "markdown-anchors";

const renderers: Record<Form, (body: StoredBody) => Rendered> = {
  "tiptap-json": (body) => ({ text: body.json, warnings: [] }),
  markdown: (body) => serialiseBody(body.blocks),
  "markdown-anchors": anchored,
  html: (body) => ({ text: renderBody(body.blocks, { slugs: slugs(body.body) }), warnings: [] }),
};

function anchored(body: StoredBody): Rendered {
  const slugOf = slugs(body.body);
  const parts = body.blocks.map((block) => ({ id: idOf(block), ...blockMarkdown(block) }));
  return {
    text: parts.map(({ id, text }) => anchorBlock(id, slugOf.get(id), text)).join("\n"),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

/** From memory when this version was asked for in this form before; otherwise `load` brings the body. */
export async function render(version: string, form: Form, load: () => Promise<StoredBody>): Promise<Rendered> {
  const key = `${version} ${form}`;
  const kept = known.get(key);
  if (kept) return kept;
  const body = await load();
  const rendered = renderers[form](body);
  if (body.version === version) known.set(key, rendered, rendered.text.length * 2 + 200);
  return rendered;
}
