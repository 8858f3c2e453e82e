import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { keepTickShape } from "./keep-tick-shape.ts";

/**
 * Gives back what only the start needed: a nursery that has grown, compiled code that ran once. It is a quarter of an
 * idle server's memory, and the engine by itself keeps it for as long as there is room.
 */
export function giveBackMemory(): void {
  keepTickShape();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "major"; flavor: "last-resort" }) => void;
  collect({ type: "major", flavor: "last-resort" });
}
