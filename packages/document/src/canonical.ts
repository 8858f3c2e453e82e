/**
 * The one JSON text of a value: keys in the order of their UTF-16 code units, no white space, strings and numbers as
 * JSON.stringify writes them (a lone surrogate as an escape). The same on every machine and for every key order, so it
 * can be hashed. Members that are undefined are left out, as JSON has no word for them.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** Beyond this depth the writer keeps its own stack, so that no nesting overflows the machine's. */
const recursionLimit = 400;

function write(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > recursionLimit) return writeDeep(value);
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(value as Record<string, unknown>, depth);
}

function writeArray(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return "[]";
  let text = `[${write(items[0], depth + 1)}`;
  for (let i = 1; i < items.length; i++) text += `,${write(items[i], depth + 1)}`;
  return `${text}]`;
}

function writeObject(object: Record<string, unknown>, depth: number): string {
  let text = "";
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    text += `${text === "" ? "" : ","}${quotedKey(key)}:${write(value, depth + 1)}`;
  }
  return `{${text}}`;
}

function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

const quotedKey = (key: string): string => knownKeys.get(key) ?? JSON.stringify(key);

const knownKeys: ReadonlyMap<string, string> = new Map(
  ["attrs", "content", "marks", "text", "type", "id", "level", "href", "language"].map((key) => [key, `"${key}"`]),
);

/** A list or object being written: its members in order, and how far the writer has come. */
interface Frame {
  readonly value: object;
  readonly keys: readonly string[] | undefined;
  next: number;
  open: boolean;
}

function writeDeep(root: object): string {
  const parts: string[] = [];
  const stack: Frame[] = [openFrame(root, parts)];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const length = frame.keys ? frame.keys.length : (frame.value as unknown[]).length;
    if (frame.next === length) {
      parts.push(frame.keys ? "}" : "]");
      stack.pop();
    } else writeMember(frame, parts, stack);
  }
  return parts.join("");
}

function writeMember(frame: Frame, parts: string[], stack: Frame[]): void {
  const key = frame.keys ? frame.keys[frame.next]! : frame.next;
  const member = (frame.value as Record<string | number, unknown>)[key];
  frame.next++;
  if (member === undefined && frame.keys) return;
  if (frame.open) parts.push(",");
  frame.open = true;
  if (frame.keys) parts.push(quotedKey(key as string), ":");
  if (typeof member === "object" && member !== null) stack.push(openFrame(member, parts));
  else parts.push(write(member, 0));
}

function openFrame(value: object, parts: string[]): Frame {
  const isArray = Array.isArray(value);
  parts.push(isArray ? "[" : "{");
  return { value, keys: isArray ? undefined : sortedKeys(value), next: 0, open: false };
}

/** Whether two values have the same canonical JSON; equal references are told apart from nothing at no cost. */
export const sameJson = (a: unknown, b: unknown): boolean => a === b || canonicalJson(a) === canonicalJson(b);
