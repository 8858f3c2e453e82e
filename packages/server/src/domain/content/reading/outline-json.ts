import { outline } from "@svc/document/read/outline";
import type { StoredBody } from "../../../bodies/body.ts";
import { WeakCache } from "../../../cache/weak-cache.ts";

/** A loaded body never changes, so its outline is serialized once. */
const OUTLINES = new WeakCache<StoredBody, string>("outlines");

export const outlineJson = (body: StoredBody): string =>
  OUTLINES.getOrMake(body, () => JSON.stringify(outline(body.body)));
