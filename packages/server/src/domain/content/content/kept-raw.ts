import type { Warning } from "@svc/document/markdown/serialise";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";

/** Limit of listed warnings; the body contains all. */
const MAX_WARNINGS = 100;

/** Warns about raw HTML in a body, once for each block and each line that contains some. */
export function keptRaw(blocks: readonly Node[]): Warning[] {
  const warnings: Warning[] = [];
  const visit = (node: Node): void => {
    if (warnings.length >= MAX_WARNINGS) return;
    const raw = node.type === "rawHtml" ? node : node.content?.find((child) => child.type === "inlineRawHtml");
    if (raw)
      warnings.push({
        code: "raw_html",
        block_id: idOf(node),
        node_type: raw.type,
        message: "HTML without a node of its own is kept as it was written.",
      });
    node.content?.forEach(visit);
  };
  blocks.forEach(visit);
  return warnings;
}
