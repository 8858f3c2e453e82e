/** Values of a node's or mark's attributes: any JSON value (attributes we do not know are kept as sent). */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Attrs = { readonly [key: string]: Json };

export interface Mark {
  readonly type: string;
  readonly attrs?: Attrs;
}

/** One node of a Tiptap/ProseMirror tree. Immutable: every edit returns new nodes and shares the untouched ones. */
export interface Node {
  readonly type: string;
  readonly attrs?: Attrs;
  readonly content?: readonly Node[];
  readonly marks?: readonly Mark[];
  readonly text?: string;
}

/** A whole document body. Its children are the top-level blocks. */
export interface Body {
  readonly type: "doc";
  readonly content: readonly Node[];
}

/** Makes a fresh block id (`block_<ULID>`). Handed in by the caller: this package has no clock and no randomness. */
export type NewId = () => string;
