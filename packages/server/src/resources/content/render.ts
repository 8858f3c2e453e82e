import { anchorBlock } from "@svc/document/markdown/anchors";
import { restyle } from "@svc/document/markdown/restyle";
import { joinRuns, type Warning } from "@svc/document/markdown/serialise";
import { warningsOf } from "@svc/document/markdown/warnings-of";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../bodies/body.ts";
import type { RunForm, Runs } from "../../bodies/renderings.ts";
import type { KeptSource } from "../../bodies/sources.ts";
import { joinHtml } from "../../bodies/stored-html.ts";
import { Cache } from "../../cache/cache.ts";
import { type CachedText, TextCache } from "../../cache/text-cache.ts";
import { yieldToEventLoop } from "../../db/statement/batches.ts";
import { hasNamedLinks } from "../links-by-name/read-pages.ts";
import { blockMarkdown } from "./block-markdown.ts";
import type { Format } from "./schema.ts";

/** A body in one form. Follows from the version alone, so it is made once. */
interface Described {
  readonly version: string;
  readonly warnings: readonly Warning[];
  /** Of the source that it is written after. */
  readonly style?: string | undefined;
}

/** As it was made: a text, or its bytes in UTF-8. */
interface Rendered extends Described {
  readonly text: string | Buffer;
}

/** As it is used: the bytes, which are what is sent, or the text. Half of a surrogate pair has no UTF-8. */
export interface ReadyText extends Described {
  readonly text: string;
  readonly bytes: Buffer | undefined;
}

/** Where a body comes from, whole or as stored text. Those may be of different versions: a write may come between. */
export interface BodySource {
  /** The source text that its Markdown is written after, and the key of this source. */
  readonly style?: { readonly hash: string; read(): Promise<KeptSource | undefined> } | undefined;
  /** Of a version, if it is stored whole. */
  html?(version: string): Promise<string | Buffer | undefined>;
  body(): Promise<StoredBody>;
  json(): Promise<{ readonly version: string; readonly json: string | Buffer }>;
  runs<Form extends RunForm>(form: Form): Promise<{ readonly version: string; readonly runs: Runs[Form][] }>;
}

/** Outside of V8's heap, where more of them cost the collector nothing. */
const TEXTS = new TextCache<readonly Warning[]>("texts", { share: 1 / 2 });

/** Versions whose HTML has no link by name: no page has to be looked up for it. */
const WITHOUT_NAMED_LINKS = new Cache<true>("without_named_links", { share: 1 / 64 });

/** Known to have none. A version that was not rendered lately may have some. */
export const hasNoNamedLinks = (version: string): boolean => WITHOUT_NAMED_LINKS.get(version) ?? false;

type Form = Format | "markdown-anchors";

/** `current` is the version that was asked for. */
const renderers: Record<Form, (source: BodySource, current: string) => Promise<Rendered>> = {
  "tiptap-json": async (source) => {
    const { version, json } = await source.json();
    return { version, text: json, warnings: [] };
  },
  markdown: async (source, current) => {
    const kept = await source.style?.read();
    if (kept?.warnings && kept.version === current)
      return { version: current, text: kept.source, warnings: kept.warnings, style: kept.style };
    const styled = kept && (await restyled(kept, source));
    if (styled) return styled;
    const { version, runs } = await source.runs("markdown");
    return { version, ...joinRuns(runs), ...(kept && { style: kept.style }) };
  },
  html: async (source, current) => {
    const whole = await source.html?.(current);
    const { version, text } = whole === undefined ? await joinedHtml(source) : { version: current, text: whole };
    if (!hasNamedLinks(text)) WITHOUT_NAMED_LINKS.put(version, true, version.length);
    return { version, text, warnings: [] };
  },
  "markdown-anchors": async (source) => anchored(await source.body()),
};

async function joinedHtml(source: BodySource): Promise<Pick<Rendered, "version" | "text">> {
  const { version, runs } = await source.runs("html");
  return { version, text: joinHtml(runs) };
}

/** The Markdown of a body as it was written by whoever wrote it, as far as the body still says it. */
async function restyled(kept: KeptSource, source: BodySource): Promise<Rendered | undefined> {
  const { version, blocks } = await source.body();
  const text = kept.version === version ? kept.source : restyle(kept.source.toString(), blocks);
  return text ? { version, text, warnings: warningsOf(blocks), style: kept.style } : undefined;
}

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

/** What the text of a form follows from beside the version: the source that it is written after, if there is one. */
export const styleFor = (form: Form, source: BodySource): string | undefined =>
  form === "markdown" ? source.style?.hash : undefined;

/** Its text is made only where it is asked for: most answers send the bytes. */
class FromCache implements ReadyText {
  readonly version: string;
  readonly style: string | undefined;
  readonly #cached: CachedText<readonly Warning[]>;

  constructor(version: string, style: string | undefined, cached: CachedText<readonly Warning[]>) {
    this.version = version;
    this.style = style;
    this.#cached = cached;
  }

  get text(): string {
    return this.#cached.text;
  }

  get bytes(): Buffer | undefined {
    return this.#cached.bytes;
  }

  get warnings(): readonly Warning[] {
    return this.#cached.about;
  }
}

class JustMade implements ReadyText {
  readonly version: string;
  readonly style: string | undefined;
  readonly warnings: readonly Warning[];
  readonly bytes: Buffer | undefined;
  readonly #text: string | Buffer;

  constructor({ version, style, warnings, text }: Rendered) {
    this.version = version;
    this.style = style;
    this.warnings = warnings;
    this.bytes = typeof text !== "string" ? text : text.isWellFormed() ? Buffer.from(text) : undefined;
    this.#text = text;
  }

  get text(): string {
    return this.#text.toString();
  }
}

/**
 * From the cache when this version was asked for in this form before; otherwise from the source, which may have a later one
 * by then: the version given back is the rendered one's.
 */
export async function render(version: string, form: Form, source: BodySource): Promise<ReadyText> {
  const keyOf = (of: string, style: string | undefined) => `${of} ${form}${style ? ` ${style}` : ""}`;
  const style = styleFor(form, source);
  const cached = TEXTS.get(keyOf(version, style));
  if (cached) return new FromCache(version, style, cached);
  const made = new JustMade(await renderers[form](source, version));
  TEXTS.put(keyOf(made.version, made.style), made.bytes ?? made.text, made.warnings);
  return made;
}
