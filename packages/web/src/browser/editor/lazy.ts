import { at } from "../islands/common/base-path.ts";

/** Scripts that are loaded when they are used, by name. */
interface Islands {
  readonly markdown: typeof import("../islands/markdown.ts");
  readonly math: typeof import("../islands/math.ts");
  readonly emoji: typeof import("../islands/emoji.ts");
  readonly code: typeof import("../islands/code.ts");
}

const loading = new Map<string, Promise<unknown>>();

/** The editor's root names the addresses. A script that could not be loaded is tried again with the next use. */
export function loadIsland<K extends keyof Islands>(name: K): Promise<Islands[K]> {
  const known = loading.get(name) as Promise<Islands[K]> | undefined;
  if (known) return known;
  const address = document.querySelector<HTMLElement>("[data-live-editor]")?.dataset[name] ?? "";
  const made = import(at(address)) as Promise<Islands[K]>;
  loading.set(name, made);
  made.catch(() => loading.delete(name));
  return made;
}
