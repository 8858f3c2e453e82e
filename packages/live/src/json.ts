import type { Attrs, Json } from "@svc/document/types";

const MAX_DEPTH = 32;

/** Whether a value from a Yjs document is JSON of limited depth; Yjs also allows bytes and big integers. */
export function isJson(value: unknown, depth = 0): value is Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (depth >= MAX_DEPTH) return false;
      if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
      return isPlain(value) && Object.values(value).every((item) => isJson(item, depth + 1));
    default:
      return false;
  }
}

const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

export const isAttrs = (value: unknown): value is Attrs =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value);
