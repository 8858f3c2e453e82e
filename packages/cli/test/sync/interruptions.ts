import type { Disk } from "../../src/sync/disk.ts";
import type { StateFiles } from "../../src/sync/store.ts";

/** The moment at which a run was cut off. */
export class Interrupted extends Error {}

/** Decides at every step whether the run is cut off there: before the step has its effect, or right after. */
export type Cut = () => "before" | "after" | undefined;

const never: Cut = () => undefined;

function cutting<T extends object>(target: T, cut: Cut = never): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const when = cut();
        if (when === "before") throw new Interrupted(`before ${String(name)}`);
        const result: unknown = await value.apply(object, args);
        if (when === "after") throw new Interrupted(`after ${String(name)}`);
        return result;
      };
    },
  });
}

export const cuttingDisk = (disk: Disk, cut: Cut): Disk => cutting(disk, cut);
export const cuttingState = (files: StateFiles, cut: Cut): StateFiles => cutting(files, cut);

/** A network that a run can be cut off from, before or after a request has reached the service. */
export const cuttingFetch =
  (cut: Cut): typeof fetch =>
  async (input, init) => {
    const when = cut();
    if (when === "before") throw new Interrupted("before a request");
    const response = await fetch(input, init);
    if (when === undefined) return response;
    await response.arrayBuffer();
    throw new Interrupted("after a request");
  };
