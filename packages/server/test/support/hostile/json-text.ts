/** A piece of JSON that no value can say: `1e400`, a key twice, a lone half of a character as it is written. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text of a value that may have raw pieces in it. */
export function toText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toText(member)}`);
  return `{${members.join(",")}}`;
}
