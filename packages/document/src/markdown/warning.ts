import type { Attrs, Node } from "../types.ts";

/** Something of a block that Markdown cannot say, and how it was written instead. */
export interface Warning {
  readonly code: WarningCode;
  readonly block_id: string | null;
  readonly node_type: string;
  readonly message: string;
}

export type WarningCode =
  | "attribute_lost"
  | "mark_lost"
  | "character_replaced"
  | "block_in_table_cell"
  | "merged_cells"
  | "table_shape"
  | "nesting_flattened"
  | "reference_unresolved"
  | "value_replaced"
  | "raw_html";

/** Warnings about the place that is written to. */
export interface WriteContext {
  readonly warnings: Warning[];
  /** The nearest block around. */
  readonly block: Node;
  /** How deep the text will be nested when it is read again. */
  readonly level: number;
}

export function warn(ctx: WriteContext, code: WarningCode, nodeType: string, message: string): void {
  const id = ctx.block.attrs?.id;
  const block_id = typeof id === "string" ? id : null;
  const last = ctx.warnings.at(-1);
  if (last && last.code === code && last.block_id === block_id && last.message === message) return;
  ctx.warnings.push({ code, block_id, node_type: nodeType, message });
}

export const inBlock = (ctx: WriteContext, block: Node, deeper = 0): WriteContext => ({
  warnings: ctx.warnings,
  block,
  level: ctx.level + deeper,
});

/** The names of attributes with a value beyond those that are kept, in one order whatever order they were sent in. */
export function lostNames(attrs: Attrs | undefined, kept: readonly string[], idName?: "id"): readonly string[] {
  let lost: string[] | undefined;
  for (const name in attrs) {
    const value = attrs[name];
    if (name === idName || value === null || value === undefined || kept.includes(name)) continue;
    lost ??= [];
    lost.push(name);
  }
  return lost?.sort() ?? [];
}

/** Warns of attributes with a value that are not among those Markdown can carry. */
export function warnLostAttrs(ctx: WriteContext, node: Node, kept: readonly string[]): void {
  for (const name of lostNames(node.attrs, kept, "id"))
    warn(ctx, "attribute_lost", node.type, `Markdown has no place for the attribute ${name.slice(0, 64)}.`);
}
