import { given } from "./given.ts";
import { type CellReference, readColumns, readReference } from "./reference.ts";
import { type Token, tokenise } from "./tokens.ts";
import { type ErrorCode, readError, type Scalar } from "./value.ts";

export type Expression =
  | { readonly kind: "value"; readonly value: Scalar }
  | { readonly kind: "cell"; readonly sheet: string | undefined; readonly cell: CellReference }
  | {
      readonly kind: "range";
      readonly sheet: string | undefined;
      readonly from: CellReference;
      readonly to: CellReference;
    }
  | { readonly kind: "list"; readonly rows: readonly (readonly Expression[])[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "unary"; readonly sign: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly sign: string; readonly left: Expression; readonly right: Expression };

/** Signs by how tight they bind; all group to the left, `^` too. */
const strengths: ReadonlyMap<string, number> = new Map(
  [["=", "<>", "<", ">", "<=", ">="], ["&"], ["+", "-"], ["*", "/"], ["^"]].flatMap((signs, i) =>
    signs.map((sign): [string, number] => [sign, i + 1]),
  ),
);

const MAX_DEPTH = 64;

class NotAFormula extends Error {}

/** The parsed formula; an error code for a text that is none. `source` begins with `=`. */
export function parseFormula(source: string): Expression | ErrorCode {
  const tokens = tokenise(source.slice(1));
  if (!tokens || tokens.length === 0) return "#ERROR!";
  try {
    return new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof NotAFormula) return "#ERROR!";
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#binary(1);
    if (this.#at < this.#tokens.length) throw new NotAFormula();
    return expression;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #isSign(...signs: readonly string[]): boolean {
    const next = this.#next;
    return next?.kind === "sign" && signs.includes(next.text);
  }

  #take(): Token {
    const token = this.#next;
    if (!token) throw new NotAFormula();
    this.#at++;
    return token;
  }

  #expect(sign: string): void {
    if (!this.#isSign(sign)) throw new NotAFormula();
    this.#at++;
  }

  #binary(least: number): Expression {
    if (++this.#depth > MAX_DEPTH) throw new NotAFormula();
    let left = this.#prefixed();
    for (;;) {
      const sign = this.#next?.kind === "sign" ? this.#next.text : "";
      const strength = strengths.get(sign) ?? 0;
      if (strength < least || strength === 0) break;
      this.#at++;
      left = { kind: "binary", sign, left, right: this.#binary(strength + 1) };
    }
    this.#depth--;
    return left;
  }

  /** A sign before a value binds tighter than `^`: -2^2 is 4. */
  #prefixed(): Expression {
    if (!this.#isSign("-", "+")) return this.#postfixed();
    if (++this.#depth > MAX_DEPTH) throw new NotAFormula();
    const sign = this.#take().text;
    const of = this.#prefixed();
    this.#depth--;
    return { kind: "unary", sign, of };
  }

  #postfixed(): Expression {
    let of = this.#primary();
    for (let percents = 0; this.#isSign("%"); percents++) {
      if (percents === MAX_DEPTH) throw new NotAFormula();
      this.#at++;
      of = { kind: "unary", sign: "%", of };
    }
    return of;
  }

  #primary(): Expression {
    const token = this.#take();
    switch (token.kind) {
      case "number":
        return { kind: "value", value: Number(token.text) };
      case "text":
        return { kind: "value", value: token.text };
      case "error":
        return { kind: "value", value: readError(token.text) ?? null };
      case "sheet":
        return this.#reference(this.#take(), token.text);
      case "cell":
      case "columns":
        return this.#reference(token, undefined);
      case "name":
        return this.#named(token.text.toUpperCase());
      default:
        return this.#signed(token.text);
    }
  }

  #signed(sign: string): Expression {
    if (sign === "{") return this.#list();
    if (sign !== "(") throw new NotAFormula();
    const inner = this.#binary(1);
    this.#expect(")");
    return inner;
  }

  #reference(token: Token, sheet: string | undefined): Expression {
    if (token.kind === "error") return { kind: "value", value: readError(token.text) ?? null };
    const columns = token.kind === "columns" ? readColumns(token.text) : undefined;
    if (columns) return { kind: "range", sheet, ...columns };
    const cell = token.kind === "cell" ? readReference(token.text) : undefined;
    if (!cell) throw new NotAFormula();
    if (!this.#isSign(":")) return { kind: "cell", sheet, cell };
    this.#at++;
    const end = this.#take();
    const to = end.kind === "cell" ? readReference(end.text) : undefined;
    if (!to) throw new NotAFormula();
    return { kind: "range", sheet, from: cell, to };
  }

  #named(name: string): Expression {
    if (!this.#isSign("(")) {
      if (name === "TRUE" || name === "FALSE") return { kind: "value", value: name === "TRUE" };
      return { kind: "value", value: readError("#NAME?") ?? null };
    }
    this.#at++;
    const args: Expression[] = [];
    if (this.#isSign(")")) this.#at++;
    else
      for (;;) {
        // An argument that is left out is empty: IF(A1,,2).
        args.push(this.#isSign(",", ";", ")") ? { kind: "value", value: null } : this.#binary(1));
        if (this.#isSign(")")) break;
        if (!this.#isSign(",", ";")) throw new NotAFormula();
        this.#at++;
      }
    if (args.length > 0) this.#expect(")");
    return { kind: "call", name, args };
  }

  /** `{1,2;3,4}`: two rows of two. */
  #list(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new NotAFormula();
    const rows: Expression[][] = [[]];
    for (;;) {
      given(rows.at(-1)).push(this.#prefixed());
      if (this.#isSign("}")) break;
      if (this.#isSign(";")) rows.push([]);
      else if (!this.#isSign(",")) throw new NotAFormula();
      this.#at++;
    }
    this.#at++;
    this.#depth--;
    return { kind: "list", rows };
  }
}
