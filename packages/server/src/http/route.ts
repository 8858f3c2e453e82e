import type { IncomingHttpHeaders } from "node:http";
import type { Static, TObject, TSchema } from "typebox";
import type { Reader, Tx } from "../db/database.ts";
import type { ErrorCode } from "../error-codes.ts";
import type { Services } from "../services.ts";
import type { Answer } from "./answer.ts";
import type { Caller, Client } from "./callers/caller.ts";
import type { Scope } from "./callers/scopes.ts";
import type { Expected } from "./preconditions.ts";
import type { Part } from "./wire/multipart.ts";

/** Facts about the request beside its checked input. */
export interface RequestFacts {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  readonly baseUrl: string;
  readonly client: Client;
  readonly headers: IncomingHttpHeaders;
}

export interface Input<P, Q, B> {
  readonly app: Services;
  /** Undefined only on public routes. */
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly ifMatch: Expected | undefined;
  readonly request: RequestFacts;
  /** The parts of a multipart body, for `prepare` of a route that takes one. */
  readonly parts: () => AsyncGenerator<Part>;
  /**
   * Runs when a write has been committed or refused, before the answer goes out; not after a failure that leaves open
   * which of the two it was.
   */
  readonly afterwards: (step: () => Promise<void>) => void;
}

interface Description<P extends TObject, Q extends TObject, B extends TSchema> {
  /** Name of the operation in OpenAPI, in the audit log and in metrics. */
  readonly operation: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** All are needed. An empty list means any valid token; `public` means no token. */
  readonly scopes: readonly Scope[] | "public";
  /**
   * Who may comment may call it, too: `documents:suggest` does for `documents:write`, and a viewer's token is let in.
   * The handler asks whether the knowledge base lets its viewers comment (resources/knowledge-bases/may-discuss.ts).
   */
  readonly discusses?: boolean;
  /** With `mode=suggest`, or with a token that may only suggest, it makes a suggestion instead and is open to the same. */
  readonly suggestible?: boolean;
  /** It changes only what the person keeps for themselves: a viewer may, and the audit log has no row of it. */
  readonly personal?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** A valid body: shown in the description, and sent by the tests that walk all routes. */
  readonly bodyExample?: unknown;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /** `required` is 428 without the header; `optional` honours it when sent. */
  readonly ifMatch?: "required" | "optional";
  /** Reads whose ETag answers If-None-Match with 304. */
  readonly etag?: boolean;
  readonly success: Success;
  /** Codes beyond those that every route of its kind can give. */
  readonly errors?: readonly ErrorCode[];
}

export interface Success {
  readonly status: number;
  readonly description: string;
  /** Schema of `data`; of the item for a list. Absent for other content types. */
  readonly data?: TSchema;
  readonly list?: boolean;
  /** A single `Range` is honoured: 206 with a part, 416 for a range outside. */
  readonly ranges?: boolean;
  /** More members of the envelope beside `data`. */
  readonly more?: Record<string, TSchema>;
  /** An example of those. */
  readonly moreExample?: Record<string, unknown>;
  /** Other content types that the success may have. */
  readonly content?: readonly string[];
  readonly headers?: Record<string, string>;
  /** An example of `data` (of one item for a list). */
  readonly example?: unknown;
  /** Other successes, each with a status of its own. */
  readonly alternatives?: readonly Omit<Success, "alternatives">[];
}

export interface ReadRoute<P extends TObject = TObject, Q extends TObject = TObject>
  extends Description<P, Q, TSchema> {
  readonly kind: "read";
  readonly method: "GET";
  readonly handler: (
    input: Input<Static<P>, Static<Q>, undefined> & { readonly db: Reader },
  ) => Answer | Promise<Answer>;
}

export interface WriteRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R = unknown,
> extends Description<P, Q, B> {
  readonly kind: "write";
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The body is multipart: `prepare` reads it from the raw request. */
  readonly multipart?: boolean;
  /** What must be the same in a repeated multipart request: its fields and the content of its files. */
  readonly fingerprint?: (prepared: R) => string;
  /** It locks nothing, or first a document's body, and may share a commit with others that do so too. */
  readonly sharesCommit?: boolean;
  /** Costly or slow work before the transaction, such as parsing or receiving a file. */
  readonly prepare?: (input: Input<Static<P>, Static<Q>, Static<B>> & { readonly db: Reader }) => Promise<R>;
  /** Runs inside the transaction that also keeps the idempotency key and the audit row. */
  readonly handler: (
    input: Input<Static<P>, Static<Q>, Static<B>> & { readonly tx: Tx; readonly prepared: R },
  ) => Promise<Answer>;
}

export type Route = ReadRoute | WriteRoute;

/** A GET. Its handler reads from the reader connection and cannot write. */
export const read = <P extends TObject, Q extends TObject>(route: Omit<ReadRoute<P, Q>, "kind" | "method">): Route =>
  ({ ...route, kind: "read", method: "GET" }) as unknown as Route;

const writing =
  (method: WriteRoute["method"]) =>
  <P extends TObject, Q extends TObject, B extends TSchema, R = undefined>(
    route: Omit<WriteRoute<P, Q, B, R>, "kind" | "method">,
  ): Route =>
    ({ ...route, kind: "write", method }) as unknown as Route;

export const post = writing("POST");
export const put = writing("PUT");
export const patch = writing("PATCH");
export const remove = writing("DELETE");

/** Thrown by a handler that did its work only to show what would happen: the answer goes out, the transaction goes back. */
export class DryRun {
  readonly answer: Answer;
  constructor(answer: Answer) {
    this.answer = answer;
  }
}
