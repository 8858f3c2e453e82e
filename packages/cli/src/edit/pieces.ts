import { defined } from "@svc/document/defined";
import { readAnchoredBlocks } from "@svc/document/markdown/parse-blocks";
import { tokenize } from "@svc/document/markdown/tokenizer";

/** A top-level block of an anchored text, as it stands there. */
export interface Piece {
  /** The block's, or one that no block has where the text gives none. */
  readonly id: string;
  /** The line with its anchor; undefined for a new block. */
  readonly anchor: string | undefined;
  readonly type: string;
  readonly text: string;
}

export interface Pieces {
  /** The text before the first block. */
  readonly head: string;
  readonly pieces: readonly Piece[];
}

interface Start {
  readonly line: number;
  readonly anchored: { readonly id: string; readonly line: number } | undefined;
  readonly type: string;
}

/** The blocks of a text. `name` makes the names of new blocks unique among several texts. */
export function piecesOf(content: string, name: string): Pieces {
  const text = content.replaceAll("\r\n", "\n");
  const lines = text.split("\n");
  const starts: Start[] = [];
  readAnchoredBlocks(tokenize(text), ({ type }, anchor, line) => {
    // Some lines are several blocks.
    if (starts.at(-1)?.line === line && !anchor) return;
    starts.push({ line, type, anchored: anchor ? { id: anchor.id, line: anchor.line - 1 } : undefined });
  });
  const beginOf = ({ line, anchored }: Start): number => anchored?.line ?? line;
  const seen = new Set<string>();
  const pieces = starts.map((start, i): Piece => {
    const next = starts[i + 1];
    const { anchored, type } = start;
    // A block that was copied with its anchor is one of its own; the service refuses its text.
    const isNew = anchored === undefined || seen.has(anchored.id);
    const id = isNew ? `${name} ${i}` : anchored.id;
    seen.add(id);
    const body = lines.slice(start.line, next ? beginOf(next) : lines.length).join("\n");
    const anchor = anchored === undefined ? undefined : defined(lines[anchored.line]);
    return { id, anchor, type, text: body.trimEnd() };
  });
  const [first] = starts;
  return {
    head: lines
      .slice(0, first ? beginOf(first) : lines.length)
      .join("\n")
      .trim(),
    pieces,
  };
}

/** The text of pieces, as the service writes one. */
export const joinPieces = ({
  head,
  pieces,
}: {
  readonly head: string;
  readonly pieces: readonly Pick<Piece, "anchor" | "text">[];
}): string => {
  const parts = pieces.map(({ anchor, text }) => (anchor === undefined ? text : `${anchor}\n${text}`));
  const all = [head, ...parts].filter((part) => part !== "");
  return all.length === 0 ? "" : `${all.join("\n\n")}\n`;
};
