import { defined } from "@svc/document/defined";
import type { Loose } from "./client.ts";

/** A text block, found by walking the whole body. */
interface Line {
  readonly id: string;
  readonly kind: string;
  /** The content as JSON; null when there is nothing in it. */
  readonly line: string | null;
  readonly words: boolean;
}

interface NaiveUnit {
  source: string;
  link: string | null;
  present: boolean;
  s: string | null;
  t: string | null;
  copied: string | null;
  agreedS: string | null;
  agreedT: string | null;
  review: "unreviewed" | "current" | "ignored";
}

const isLine = (node: Loose) => ["paragraph", "heading", "detailsSummary"].includes(node.type);

function linesOf(nodes: readonly Loose[], above = ""): Line[] {
  return nodes.flatMap((node) => {
    const kind = `${above}/${node.type}${node.type === "heading" ? node.attrs.level : ""}`;
    if (!isLine(node)) return node.content && node.type !== "codeBlock" ? linesOf(node.content, kind) : [];
    const content: Loose[] = node.content ?? [];
    const isEmpty = content.every((inner) => inner.type === "text" && inner.text.trim() === "");
    const words = content.some((inner) => inner.type === "text" && /\p{L}/u.test(inner.text));
    return [{ id: node.attrs.id, kind, line: isEmpty ? null : JSON.stringify(content), words }];
  });
}

/** Pairs free blocks behind the same anchor: from the front, then from the back, while kinds agree. */
function pairBehindAnchors(
  left: readonly Line[],
  right: readonly Line[],
  link: (id: string) => string | undefined,
  freeLeft: (id: string) => boolean,
  freeRight: (id: string) => boolean,
): [string, string][] {
  const anchors = left.map((one) => link(one.id)).filter((id) => id !== undefined);
  const behind = (list: readonly Line[], index: number, anchorOf: (one: Line) => string | undefined) =>
    list
      .slice(0, index)
      .map(anchorOf)
      .findLast((id) => id !== undefined) ?? "";
  const found: [string, string][] = [];
  for (const anchor of ["", ...new Set(anchors)]) {
    const ours = left.filter((one, i) => freeLeft(one.id) && behind(left, i, (o) => link(o.id)) === anchor);
    const theirs = right.filter(
      (one, i) => freeRight(one.id) && behind(right, i, (o) => (anchors.includes(o.id) ? o.id : undefined)) === anchor,
    );
    while (ours[0] && theirs[0] && ours[0].kind === theirs[0].kind)
      found.push([defined(ours.shift()).id, defined(theirs.shift()).id]);
    while (ours.at(-1) && theirs.at(-1) && defined(ours.at(-1)).kind === defined(theirs.at(-1)).kind)
      found.push([defined(ours.pop()).id, defined(theirs.pop()).id]);
  }
  return found;
}

function replacements(before: readonly Line[], after: readonly Line[]): Map<string, string> {
  const has = (list: readonly Line[], id: string) => list.some((one) => one.id === id);
  const pairs = new Map<string, string>();
  const taken = () => [...pairs.values()];
  for (const gone of before.filter((one) => !has(after, one.id))) {
    const same = after.find(
      (one) =>
        !has(before, one.id) &&
        !taken().includes(one.id) &&
        one.line !== null &&
        one.line === gone.line &&
        one.kind === gone.kind,
    );
    if (same) pairs.set(gone.id, same.id);
  }
  const known = new Map(pairs);
  for (const [from, to] of pairBehindAnchors(
    before,
    after,
    (id) => (has(after, id) ? id : known.get(id)),
    (id) => !has(after, id) && !known.has(id),
    (id) => !has(before, id) && ![...known.values()].includes(id),
  ))
    pairs.set(from, to);
  return pairs;
}

/** Translation units recomputed from whole bodies after every write: slow, simple, and with nothing kept but the rules. */
export class NaiveUnits {
  units: NaiveUnit[] = [];
  #source: Line[];
  #target: Line[];

  constructor(source: readonly Loose[], target: readonly Loose[], mode: string) {
    this.#source = linesOf(source).filter((one) => one.words);
    this.#target = linesOf(target);
    const all = linesOf(source);
    this.units = this.#source.map(({ id, line }) => {
      const twin = mode === "empty" ? undefined : this.#target[all.findIndex((one) => one.id === id)];
      const t = twin?.line ?? null;
      const agreed = { agreedS: null, agreedT: null, review: "unreviewed" as const };
      return { source: id, link: twin?.id ?? null, present: twin !== undefined, s: line, t, copied: t, ...agreed };
    });
  }

  writeSource(nodes: readonly Loose[]): void {
    const before = this.#source;
    const after = linesOf(nodes).filter((one) => one.words);
    const next = replacements(before, after);
    const had = this.units.map((unit) => unit.source);
    for (const unit of this.units) {
      const to = next.get(unit.source);
      if (!after.some(({ id }) => id === unit.source) && to !== undefined && !had.includes(to)) unit.source = to;
      const line = after.find(({ id }) => id === unit.source)?.line ?? null;
      if (line !== unit.s && unit.review === "current") unit.review = "unreviewed";
      unit.s = line;
    }
    for (const { id, line } of after)
      if (!this.units.some((unit) => unit.source === id))
        this.units.push({
          ...{ source: id, link: null, present: false, s: line, t: null, copied: null },
          ...{ agreedS: null, agreedT: null, review: "unreviewed" },
        });
    this.units = this.units.filter((unit) => unit.s !== null || unit.present);
    this.#source = after;
  }

  writeTarget(nodes: readonly Loose[]): void {
    const before = this.#target;
    const after = linesOf(nodes);
    const next = replacements(before, after);
    const links = this.units.map((unit) => unit.link);
    const has = (id: string | null) => after.some((one) => one.id === id);
    for (const unit of this.units) {
      const to = unit.present && !has(unit.link) ? next.get(unit.link ?? "") : undefined;
      if (to !== undefined && !links.includes(to)) unit.link = to;
      unit.present = has(unit.link);
      this.#put(unit, after);
    }
    this.units = this.units.filter((unit) => unit.s !== null || unit.present);
    const added = after.filter((one) => !before.some(({ id }) => id === one.id)).map((one) => one.id);
    const unitOf = (id: string) => this.units.find((unit) => unit.source === id);
    for (const [source, target] of pairBehindAnchors(
      this.#source,
      after,
      (id) => (unitOf(id)?.present ? defined(defined(unitOf(id)).link) : undefined),
      (id) => unitOf(id)?.present === false,
      (id) => added.includes(id) && !this.units.some((unit) => unit.present && unit.link === id),
    )) {
      const unit = defined(unitOf(source));
      unit.link = target;
      unit.present = true;
      this.#put(unit, after);
    }
    this.#target = after;
  }

  review(source: string, status: "current" | "ignored"): void {
    const unit = defined(this.units.find((one) => one.source === source));
    unit.review = status;
    if (status === "current" && unit.s !== null) this.#agree(unit);
  }

  #agree(unit: NaiveUnit): void {
    unit.agreedS = unit.s;
    unit.agreedT = unit.t;
  }

  #put(unit: NaiveUnit, lines: readonly Line[]): void {
    const line = unit.present ? defined(lines.find(({ id }) => id === unit.link)).line : null;
    if (line === unit.t) return;
    const was = this.#isTranslated(unit);
    unit.t = line;
    if (unit.review === "current") unit.review = "unreviewed";
    if (!was && this.#isTranslated(unit) && unit.s !== null && line !== unit.agreedT) this.#agree(unit);
  }

  #isTranslated = ({ t, copied, agreedT }: NaiveUnit): boolean => t !== null && (t !== copied || t === agreedT);

  freshnessOf(unit: NaiveUnit): string {
    if (unit.s === null) return "orphaned";
    if (!this.#isTranslated(unit)) return "missing";
    if (unit.s === unit.agreedS) return "current";
    return unit.t === unit.agreedT ? "source_changed" : "conflict";
  }

  /** By source block: what the API must say. */
  shown(): Record<string, string[]> {
    return Object.fromEntries(
      this.units.map((unit) => [
        unit.source,
        [
          this.freshnessOf(unit),
          unit.review,
          this.#isTranslated(unit) ? "manual" : "none",
          unit.present ? defined(unit.link) : "-",
        ],
      ]),
    );
  }

  worst(): string {
    const open = this.units.filter((unit) => unit.review !== "ignored");
    const states = open.map((unit) => this.freshnessOf(unit));
    if (states.includes("missing")) return "missing";
    const isStale = (state: string, i: number) =>
      ["source_changed", "conflict"].includes(state) ||
      (state === "orphaned" && defined(open[i]).review === "unreviewed");
    return states.some(isStale) ? "source_changed" : "current";
  }
}
