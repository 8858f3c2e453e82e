import { blockAt, locate, nodeAt, type Path } from "@svc/document/blocks/find";
import { replaceAt, spliceAt } from "@svc/document/blocks/splice";
import { defined } from "@svc/document/defined";
import { withContent } from "@svc/document/schema/node";
import type { Body, Node } from "@svc/document/types";
import type { StoredBody } from "../../../../bodies/body.ts";
import { newBlockId } from "../../../../ids.ts";
import { copyNode, idsToTranslate } from "./copy-blocks.ts";
import { textBlocksIn } from "./text-blocks.ts";

/** A line to put into the target, for a block of the source. */
export interface Line {
  readonly sourceBlockId: string;
  readonly nodes: readonly Node[];
}

interface InsertedLines {
  readonly blocks: readonly Node[];
  /** Source block → new target block that holds its line. */
  readonly made: ReadonlyMap<string, string>;
  /** Source blocks whose line could not be inserted. */
  readonly unplaced: ReadonlySet<string>;
}

/**
 * Inserts lines into the target: into the block linked to the source block, or into a new one. Copies the largest part
 * of the source that has nothing linked in the target (a whole list, an item, a row), with its other lines empty, next
 * to the counterpart of its neighbour in the source.
 */
export function insertLines(
  target: StoredBody,
  source: StoredBody,
  lines: readonly Line[],
  links: ReadonlyMap<string, string>,
): InsertedLines {
  const known = new Map(links);
  const made = new Map<string, string>();
  const unplaced = new Set<string>();
  const there = lines.filter((line) => known.has(line.sourceBlockId));
  const paths = there.map((line) => defined(target.locate(target.body, defined(known.get(line.sourceBlockId)))));
  let body = target.body;
  for (const [index, line] of there.entries()) body = fill(body, defined(paths[index]), line.nodes);
  for (const line of lines) {
    if (links.has(line.sourceBlockId)) continue;
    if (!known.has(line.sourceBlockId)) {
      const next = makeRoom(body, source, line.sourceBlockId, known, target.documentType === "document");
      if (!next) {
        unplaced.add(line.sourceBlockId);
        continue;
      }
      body = next.body;
      for (const [from, to] of next.made) {
        known.set(from, to);
        made.set(from, to);
      }
    }
    body = fill(body, defined(locate(body, defined(known.get(line.sourceBlockId)))), line.nodes);
  }
  return { blocks: body.content, made, unplaced };
}

const fill = (body: Body, path: Path, nodes: readonly Node[]): Body =>
  replaceAt(body, path, withContent(blockAt(body, path).node, nodes));

interface Room {
  readonly body: Body;
  readonly made: ReadonlyMap<string, string>;
}

function makeRoom(
  body: Body,
  source: StoredBody,
  blockId: string,
  links: ReadonlyMap<string, string>,
  mayStandAlone: boolean,
): Room | undefined {
  const path = source.locate(source.body, blockId);
  if (!path) return undefined;
  const part = largestUnlinked(source.body, path, links);
  const position = findPositionBeside(body, source.body, part, links);
  const made = new Map<string, string>();
  const node = blockAt(source.body, part).node;
  if (position) {
    const top = { blocks: [defined(source.blocks[defined(path[0])])], documentType: source.documentType };
    const copy = copyNode(node, new Set(idsToTranslate(top)), made);
    return { body: spliceAt(body, position.parent, position.index, 0, [copy]), made };
  }
  if (!mayStandAlone) return undefined;
  const id = newBlockId();
  const top = topBeside(body, source.body, defined(path[0]), links);
  return {
    body: spliceAt(body, [], top, 0, [{ type: "paragraph", attrs: { id } }]),
    made: new Map([[blockId, id]]),
  };
}

/** The outermost part around a block that contains no linked line. */
function largestUnlinked(source: Body, path: Path, links: ReadonlyMap<string, string>): Path {
  for (let length = 1; length < path.length; length++) {
    const part = path.slice(0, length);
    if (linkedIn(blockAt(source, part).node, links).length === 0) return part;
  }
  return path;
}

const linkedIn = (node: Node, links: ReadonlyMap<string, string>): string[] =>
  textBlocksIn(node)
    .filter(({ id }) => links.has(id))
    .map(({ id }) => id);

interface Position {
  readonly parent: Path;
  readonly index: number;
}

/** Inserts next to the nearest sibling with a counterpart in the target, if the target has the same structure there. */
function findPositionBeside(
  body: Body,
  source: Body,
  part: Path,
  links: ReadonlyMap<string, string>,
): Position | undefined {
  const position = defined(part.at(-1));
  if (part.length === 1) return { parent: [], index: topBeside(body, source, position, links) };
  const parent = blockAt(source, part.slice(0, -1)).node;
  const siblings = parent.content ?? [];
  const counterpart = (index: number): Path | undefined => {
    const sibling = defined(siblings[index]);
    const lines = linkedIn(sibling, links);
    const line = index < position ? lines.at(-1) : lines[0];
    if (line === undefined) return undefined;
    const depth = defined(locate({ type: "doc", content: [sibling] }, line)).length - 1;
    const path = defined(locate(body, defined(links.get(line))));
    if (path.length - depth < 2) return undefined;
    const found = path.slice(0, path.length - depth);
    const fits = nodeAt(body, found).type === sibling.type && nodeAt(body, found.slice(0, -1)).type === parent.type;
    return fits ? found : undefined;
  };
  for (let i = position - 1; i >= 0; i--) {
    const found = counterpart(i);
    if (found) return { parent: found.slice(0, -1), index: defined(found.at(-1)) + 1 };
  }
  for (let i = position + 1; i < siblings.length; i++) {
    const found = counterpart(i);
    if (found) return { parent: found.slice(0, -1), index: defined(found.at(-1)) };
  }
  return undefined;
}

/** The top-level index after the counterpart of a preceding source block, or else before that of a following one. */
function topBeside(body: Body, source: Body, position: number, links: ReadonlyMap<string, string>): number {
  for (let i = position; i >= 0; i--) {
    const line = linkedIn(defined(source.content[i]), links).at(-1);
    if (line !== undefined) return defined(defined(locate(body, defined(links.get(line))))[0]) + 1;
  }
  for (let i = position + 1; i < source.content.length; i++) {
    const [line] = linkedIn(defined(source.content[i]), links);
    if (line !== undefined) return defined(defined(locate(body, defined(links.get(line))))[0]);
  }
  return body.content.length;
}
