import { anchorBlock } from "@svc/document/markdown/anchors";
import { restyle, wordsOf } from "@svc/document/markdown/restyle";
import { joinRuns, type Warning } from "@svc/document/markdown/serialise";
import { warningsOf } from "@svc/document/markdown/warnings-of";
import { slugs } from "@svc/document/read/slugs";
import { idOf } from "@svc/document/schema/node";
import type { StoredBody } from "../../../bodies/body.ts";
import { blockMarkdown } from "../../../bodies/parsing/block-markdown.ts";
import type { RunForm, Runs } from "../../../bodies/renderings.ts";
import type { KeptSource } from "../../../bodies/sources.ts";
import { joinHtml } from "../../../bodies/stored-html.ts";
import { Cache } from "../../../cache/cache.ts";
import { type CachedText, TextCache } from "../../../cache/text-cache.ts";
import { yieldToEventLoop } from "../../../db/statement/batches.ts";
import { hasNamedLinks } from "../../library/links-by-name/read-pages.ts";
import type { Format } from "./schema.ts";

/** A body in one form. Depends only on the version, so it is rendered once. */
interface Described {
  readonly version: string;
  readonly warnings: readonly Warning[];
  /** Hash of the source whose style it follows. */
  readonly style?: string | undefined;
}

/** The rendered text, or its bytes in UTF-8. */
interface Rendered extends Described {
  readonly text: string | Buffer;
}

/** The text for use: bytes, ready to be sent, or a string if it has lone surrogates, which UTF-8 cannot encode. */
export interface ReadyText extends Described {
  readonly text: string;
  readonly bytes: Buffer | undefined;
}

/** Loads a body, whole or as stored text. They may be of different versions if a write comes in between. */
export interface BodySource {
  /** The source text whose style the Markdown follows, and its hash. */
  readonly style?: { readonly hash: string; read(): Promise<KeptSource | undefined> } | undefined;
  /** The HTML of a version, if it is stored. */
  html?(version: string): Promise<string | Buffer | undefined>;
  body(): Promise<StoredBody>;
  json(): Promise<{ readonly version: string; readonly json: string | Buffer }>;
  runs<Form extends RunForm>(form: Form): Promise<{ readonly version: string; readonly runs: Runs[Form][] }>;
}

/** Stored outside of V8's heap, where many of them do not slow down garbage collection. */
const TEXTS = new TextCache<readonly Warning[]>("texts", { share: 1 / 2 });

/** Versions whose HTML has no link by name, so that no pages need to be looked up. */
const WITHOUT_NAMED_LINKS = new Cache<true>("without_named_links", { share: 1 / 64 });

/** True only if known; a version that was not rendered lately may have no named links either. */
export const hasNoNamedLinks = (version: string): boolean => WITHOUT_NAMED_LINKS.get(version) ?? false;

type Form = Format | "markdown-anchors";

/** `current` is the requested version. */
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
  "markdown-anchors": async (source) => {
    const kept = await source.style?.read();
    return { ...(await anchored(await source.body(), kept)), style: kept?.style };
  },
};

async function joinedHtml(source: BodySource): Promise<Pick<Rendered, "version" | "text">> {
  const { version, runs } = await source.runs("html");
  return { version, text: joinHtml(runs) };
}

/** The Markdown of a body in its author's style, for the parts that have not changed. */
async function restyled(kept: KeptSource, source: BodySource): Promise<Rendered | undefined> {
  const { version, blocks } = await source.body();
  const text = kept.version === version ? kept.source : restyle(kept.source.toString(), blocks);
  return text ? { version, text, warnings: warningsOf(blocks), style: kept.style } : undefined;
}

/** Blocks rendered before yielding to other requests. */
const BLOCKS = 400;

/** Renders each block as its author wrote it, if that source is kept. */
async function anchored(stored: StoredBody, kept: KeptSource | undefined): Promise<Rendered> {
  const { version, body, blocks } = stored;
  const slugOf = slugs(body);
  for (let i = 0; i < blocks.length; i += BLOCKS) {
    if (i > 0) await yieldToEventLoop();
    blocks.slice(i, i + BLOCKS).forEach(blockMarkdown);
  }
  const words = kept ? wordsOf(kept.source.toString(), blocks) : [];
  const parts = blocks.map((block, i) => {
    const { text, warnings } = blockMarkdown(block);
    return { id: idOf(block), text: words[i] ?? text, warnings };
  });
  return {
    version,
    text: parts.map(({ id, text }) => anchorBlock(id, slugOf.get(id), text)).join("\n"),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

/** Besides the version, the text of a form depends on this: the source whose style it follows, if any. */
export const styleFor = (form: Form, source: BodySource): string | undefined =>
  form === "markdown" || form === "markdown-anchors" ? source.style?.hash : undefined;

/** Decodes the text only on request: most responses send the bytes. */
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
 * Returns the form from the cache if this version was rendered before; otherwise renders the source, which may have a
 * later version by then, and returns that version.
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
