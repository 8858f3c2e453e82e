import { childBlocks } from "../blocks/find.ts";
import { idOf } from "../schema/node.ts";
import type { Body, Node } from "../types.ts";

/** Every block id of a body, nested ones too. */
export const allIds = ({ content }: Body): string[] => content.flatMap(below);
const below = (node: Node): string[] => [idOf(node), ...childBlocks(node).flatMap(below)];
