import { markRules, nodeTypes } from "./schema/nodes.ts";
import type { Attrs, Json, Node } from "./types.ts";

/**
 * Nodes from their canonical JSON (canonical.ts), for one reading. JSON.parse would take most of the time of rendering
 * a stored body: it copies every text and looks up every name. As a node is written in one way only, it can be read
 * faster: texts are parts of the source, which they keep in memory, names are known words, and all nodes have one shape,
 * with fields that are undefined where JSON.parse gives none. What does not look as expected is left to JSON.parse.
 */
export function readCanonical(json: string): readonly Node[] {
  try {
    return new Reader(json).all();
  } catch {
    return JSON.parse(json);
  }
}

const UNEXPECTED = new Error("Not the JSON of nodes in its usual form.");

/** Names that come again and again, so that none is made again. Where two claim one place, one of them is not known. */
const words: string[] = [];
const placeOf = (first: number, length: number): number => ((first << 3) ^ length) & 0xff;
const rules = [...Object.values(nodeTypes).map((type) => type.attrs), ...markRules.values()];
for (const word of [...rules.flatMap(Object.keys), ...markRules.keys(), ...Object.keys(nodeTypes), "text"])
  words[placeOf(word.charCodeAt(0), word.length)] = word;

/** Numbers, true, false and null. */
const scalar = /[^"[\]{},]+/y;

/** Each method begins at the first character of what it reads and ends behind the last. */
class Reader {
  readonly #source: string;
  #at = 0;
  /** The next backslash, unless it is behind us. */
  #escape = -1;

  constructor(source: string) {
    this.#source = source;
  }

  all(): readonly Node[] {
    const nodes = this.#nodes();
    if (this.#at !== this.#source.length) throw UNEXPECTED;
    return nodes;
  }

  /** Marks too: they are like nodes that have only attributes. */
  #nodes(): Node[] {
    const nodes: Node[] = [];
    if (this.#skips("[]")) return nodes;
    this.#at++;
    do nodes.push(this.#node());
    while (this.#goesOn());
    return nodes;
  }

  #node(): Node {
    let attrs: Attrs | undefined;
    let content: Node[] | undefined;
    let marks: Node[] | undefined;
    let text: string | undefined;
    for (this.#at++; ; this.#at++)
      // The letter in which the keys differ.
      switch (this.#source[this.#at + 2]) {
        case "t":
          this.#at += '"attrs":'.length;
          attrs = this.#attrs();
          break;
        case "o":
          this.#at += '"content":'.length;
          content = this.#nodes();
          break;
        case "a":
          this.#at += '"marks":'.length;
          marks = this.#nodes();
          break;
        case "e":
          this.#at += '"text":'.length;
          text = this.#string();
          break;
        case "y": {
          this.#at += '"type":'.length;
          const type = this.#word();
          if (this.#goesOn()) throw UNEXPECTED;
          return { attrs, content, marks, text, type } as Node;
        }
        default:
          throw UNEXPECTED;
      }
  }

  #attrs(): Attrs {
    const attrs: Record<string, Json> = {};
    if (this.#skips("{}")) return attrs;
    if (this.#skips('{"id":')) {
      const id = this.#string();
      if (!this.#goesOn()) return { id };
      attrs.id = id;
    } else this.#at++;
    do {
      const name = this.#word();
      if (name === "__proto__") throw UNEXPECTED;
      this.#at++;
      attrs[name] = this.#source[this.#at] === '"' ? this.#string() : this.#scalar();
    } while (this.#goesOn());
    return attrs;
  }

  #scalar(): Json {
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#source);
    if (!found) throw UNEXPECTED;
    this.#at = scalar.lastIndex;
    return JSON.parse(found[0]);
  }

  /** A string that most likely is a known word. */
  #word(): string {
    const from = this.#at + 1;
    const end = this.#source.indexOf('"', from);
    const word = words[placeOf(this.#source.charCodeAt(from), end - from)];
    if (word === undefined || word.length !== end - from || !this.#source.startsWith(word, from)) return this.#string();
    this.#at = end + 1;
    return word;
  }

  #string(): string {
    const from = this.#at + 1;
    let end = this.#source.indexOf('"', from);
    if (this.#escape < from) this.#escape = this.#backslashAfter(from);
    const isPlain = end < this.#escape;
    while (this.#escape < end) {
      const next = this.#escape + 2;
      if (end < next) end = this.#source.indexOf('"', next);
      this.#escape = this.#backslashAfter(next);
    }
    if (end < 0) throw UNEXPECTED;
    this.#at = end + 1;
    return isPlain ? this.#source.slice(from, end) : String(JSON.parse(this.#source.slice(from - 1, end + 1)));
  }

  #backslashAfter(from: number): number {
    const found = this.#source.indexOf("\\", from);
    return found < 0 ? this.#source.length : found;
  }

  #skips(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Passes what stands behind a member: a comma, or the end of its list or object. */
  #goesOn(): boolean {
    return this.#source[this.#at++] === ",";
  }
}
