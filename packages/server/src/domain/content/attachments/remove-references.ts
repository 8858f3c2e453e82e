import { mapShared, withContent } from "@svc/document/schema/node";
import { nodeTypes } from "@svc/document/schema/nodes";
import { joinText } from "@svc/document/schema/normalise";
import type { Node } from "@svc/document/types";
import { newBlockId } from "../../../ids.ts";
import { shownBy } from "./references.ts";

/** Removing one of these would shift its row or leave a collapsible section without room for text. */
const staysEmpty: ReadonlySet<string> = new Set(["tableCell", "tableHeader", "detailsContent"]);

/** The blocks without the nodes that show this attachment; unaffected blocks stay the same objects. */
export function removeReferences(blocks: readonly Node[], attachmentId: string): readonly Node[] {
  const left = mapShared(blocks, (node) => without(node, attachmentId) ?? gone);
  return left === blocks ? blocks : joinText(left.filter((node) => node !== gone));
}

const gone: Node = { type: "gone" };

function without(node: Node, attachmentId: string): Node | undefined {
  if (shownBy(node) === attachmentId) return undefined;
  if (node.content === undefined) return node;
  const content = removeReferences(node.content, attachmentId);
  if (content === node.content) return node;
  if (content.length > 0 || nodeTypes[node.type]?.mayBeEmpty) return withContent(node, content);
  if (!staysEmpty.has(node.type)) return undefined;
  return withContent(node, [{ type: "paragraph", attrs: { id: newBlockId() } }]);
}
