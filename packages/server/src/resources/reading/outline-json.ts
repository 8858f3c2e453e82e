import { outline } from "@svc/document/read/outline";
import type { StoredBody } from "../../bodies/body.ts";

/** A body in memory never changes, so its outline is written once for as long as it is there. */
const written = new WeakMap<StoredBody, string>();

export function outlineJson(body: StoredBody): string {
  const known = written.get(body);
  if (known !== undefined) return known;
  const json = JSON.stringify(outline(body.body));
  written.set(body, json);
  return json;
}
