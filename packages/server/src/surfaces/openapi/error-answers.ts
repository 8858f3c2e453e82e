import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "../../error-codes.ts";
import type { Json } from "./components.ts";

/** Codes that say nothing about one operation: nearly every answer of their status has them. */
const COMMON: ReadonlySet<ErrorCode> = new Set([
  "invalid_request",
  "token_missing",
  "token_invalid",
  "token_expired",
  "token_revoked",
  "insufficient_scope",
  "not_found",
  "rate_limited",
  "internal_error",
  "unavailable",
  "unknown",
]);

/** The error answers of a description. Each is stated once in `components.responses`; operations refer to it. */
export class ErrorAnswers {
  readonly components: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  /** Returns the reference to an answer. Equal answers share one component. */
  refer(status: number, codes: readonly ErrorCode[], answer: Json): Json {
    const text = JSON.stringify(answer);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#freeName(nameOf(status, codes));
      this.#names.set(text, name);
      this.components[name] = answer;
    }
    return { $ref: `#/components/responses/${name}` };
  }

  #freeName(name: string): string {
    let free = name;
    for (let n = 2; free in this.components; n++) free = `${name}.${n}`;
    return free;
  }
}

const nameOf = (status: number, codes: readonly ErrorCode[]): string => {
  const phrase = (STATUS_CODES[status] ?? String(status)).replace(/[^A-Za-z]/g, "");
  return [phrase, ...codes.filter((code) => !COMMON.has(code))].join(".");
};
