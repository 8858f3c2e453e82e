import { outline } from "@svc/document/read/outline";
import type { StoredBody } from "../../bodies/body.ts";
import { WeakCache } from "../../cache/weak-cache.ts";

/** A body in memory never changes, so its outline is written once for as long as it is there. */
const OUTLINES = new WeakCache<StoredBody, string>("outlines");

export const outlineJson = (body: StoredBody): string =>
  OUTLINES.getOrMake(body, () => JSON.stringify(outline(body.body)));
