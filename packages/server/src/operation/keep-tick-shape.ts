import { createHook } from "node:async_hooks";

const kept: object[] = [];

/**
 * Keeps one entry of Node's queue of ticks for good. When a full collection finds none, V8 forgets their shape, and
 * makes each later one the slow way: 420 instead of 75 ns, about eight times in every request (bench/micro/ticks.ts).
 */
export function keepTickShape(): object | undefined {
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === "TickObject") kept[0] = resource;
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
  return kept[0];
}
