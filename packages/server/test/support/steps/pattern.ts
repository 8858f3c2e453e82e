/** A regular expression as a tree, as far as its steps can be counted from it. */
export type Pattern =
  | { readonly kind: "one"; readonly accepts: (letter: string) => boolean; readonly source: string }
  | { readonly kind: "all"; readonly parts: readonly Pattern[] }
  | { readonly kind: "any"; readonly options: readonly Pattern[] }
  | {
      readonly kind: "repeat";
      readonly of: Pattern;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: "group"; readonly of: Pattern; readonly number: number }
  | { readonly kind: "back"; readonly group: number }
  | { readonly kind: "look"; readonly of: Pattern; readonly isNegative: boolean }
  /** An assertion without width, tested by the engine itself. */
  | { readonly kind: "edge"; readonly test: RegExp };

const EDGE = /\^|\$|\\[bB]|\(\?<[=!]/y;
const ONE =
  /\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\[\s\S]|\[\^?(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/y;
const COUNT = /([*+?]|\{(\d+)(,(\d*))?\})(\??)/y;
const OPENS = /\((?:\?(?:[=!:]|<(?![=!])[^>]*>|[ims]*(?:-[ims]+)?:))?/y;

/** Reads the source of a regular expression that the engine has accepted. */
export function readPattern(expression: RegExp): Pattern {
  return new Reader(expression).whole();
}

class Reader {
  readonly #source: string;
  readonly #flags: string;
  readonly #names: readonly string[];
  #at = 0;
  #groups = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replace(/[dgy]/g, "");
    this.#names = [...source.matchAll(/\(\?<(?![=!])([^>]*)>/g)].map(([, name = ""]) => name);
  }

  whole(): Pattern {
    return this.#options();
  }

  #take(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #options(): Pattern {
    const options = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      options.push(this.#sequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: "any", options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at))) parts.push(this.#counted());
    return { kind: "all", parts };
  }

  #counted(): Pattern {
    const of = this.#atom();
    const count = this.#take(COUNT);
    if (!count) return of;
    const [, sign = "", least, upTo, most, lazy] = count;
    const min = least === undefined ? (sign === "+" ? 1 : 0) : Number(least);
    const max =
      least === undefined ? (sign === "?" ? 1 : Infinity) : upTo === undefined ? min : Number(most || Infinity);
    return { kind: "repeat", of, min, max, isLazy: lazy === "?" };
  }

  #atom(): Pattern {
    const start = this.#at;
    const edge = this.#take(EDGE);
    if (edge) {
      if (edge[0].startsWith("(")) {
        this.#options();
        this.#at++;
      }
      return { kind: "edge", test: new RegExp(this.#source.slice(start, this.#at), `${this.#flags}y`) };
    }
    const open = this.#take(OPENS)?.[0];
    if (open) return this.#group(open);
    const back = this.#take(/\\(?:([1-9]\d*)|k<([^>]*)>)/y);
    if (back) return { kind: "back", group: back[1] ? Number(back[1]) : this.#names.indexOf(back[2] ?? "") + 1 };
    const source = this.#take(ONE)?.[0] ?? "";
    return { kind: "one", source, accepts: memoised(new RegExp(`^(?:${source})$`, this.#flags.replace("m", ""))) };
  }

  #group(open: string): Pattern {
    const number = open === "(" || open.startsWith("(?<") ? ++this.#groups : 0;
    const of = this.#options();
    this.#at++;
    if (open === "(?=" || open === "(?!") return { kind: "look", of, isNegative: open === "(?!" };
    return number > 0 ? { kind: "group", of, number } : of;
  }
}

function memoised(shape: RegExp): (letter: string) => boolean {
  const known = new Map<string, boolean>();
  return (letter) => {
    let is = known.get(letter);
    if (is === undefined) {
      is = nativeExec.call(shape, letter) !== null;
      known.set(letter, is);
    }
    return is;
  };
}

/** The engine's own, also while another one counts. */
export const nativeExec = RegExp.prototype.exec;
