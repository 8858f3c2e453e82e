import type { IncomingHttpHeaders } from "node:http";
import type { Static, TObject, TSchema } from "typebox";
import type { Tx, VisibleReader } from "../db/database.ts";
import type { ErrorCode } from "../error-codes.ts";
import type { ApiError } from "../errors.ts";
import type { CallerServices } from "../services.ts";
import type { Access, Action, ReadAction, WriteAction } from "./access.ts";
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
  readonly app: CallerServices;
  /** Undefined only on public routes. */
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly ifMatch: Expected | undefined;
  readonly request: RequestFacts;
  /** The parts of a multipart body, for `prepare` of a route that accepts one. */
  readonly parts: () => AsyncGenerator<Part>;
  /**
   * Runs after a write was committed or refused, before the answer is sent; not after a failure that leaves open which
   * of the two happened.
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
  /** All of these are required. An empty list means any valid token; `public` means no token. */
  readonly scopes: readonly Scope[] | "public";
  /** The action and the resources that the policy checks it on. */
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** A valid body: shown in the description, and sent by the tests that walk all routes. */
  readonly bodyExample?: unknown;
  /** The body is optional. */
  readonly bodyOptional?: boolean;
  /** `required` is 428 without the header; `optional` honours it when sent. */
  readonly ifMatch?: "required" | "optional";
  /** Reads whose ETag answers If-None-Match with 304. */
  readonly etag?: boolean;
  readonly success: Success;
  /** Error codes beyond those of every route of its kind. */
  readonly errors?: readonly ErrorCode[];
  /** More members of the body of a refusal, for programs that expect another shape. */
  readonly errorMembers?: (error: ApiError) => Record<string, unknown>;
}

export interface Success {
  readonly status: number;
  readonly description: string;
  /** Schema of `data`; for a list, of one item. Undefined for other content types, and where `more` is everything. */
  readonly data?: TSchema;
  readonly list?: boolean;
  /** Supports a single `Range`: 206 with a part, 416 for a range outside. */
  readonly ranges?: boolean;
  /** More members of the envelope beside `data`. */
  readonly more?: Record<string, TSchema>;
  /** An example of those members. */
  readonly moreExample?: Record<string, unknown>;
  /** Other content types that the success may have. */
  readonly content?: readonly string[];
  readonly headers?: Record<string, string>;
  /** An example of `data` (of one item for a list). */
  readonly example?: unknown;
  /** Other successes with other statuses. */
  readonly alternatives?: readonly Omit<Success, "alternatives">[];
}

/** Follows from the action of a route. */
interface Flags {
  readonly discusses: boolean;
  readonly suggestible: boolean;
  readonly personal: boolean;
}

export interface ReadRoute<P extends TObject = TObject, Q extends TObject = TObject>
  extends Description<P, Q, TSchema>,
    Flags {
  readonly kind: "read";
  readonly method: "GET";
  readonly access: Access<ReadAction>;
  readonly handler: (
    input: Input<Static<P>, Static<Q>, undefined> & { readonly db: VisibleReader },
  ) => Answer | Promise<Answer>;
}

export interface WriteRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R = unknown,
> extends Description<P, Q, B>,
    Flags {
  readonly kind: "write";
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly access: Access<WriteAction>;
  /** The body is multipart: `prepare` reads it from the raw request. */
  readonly multipart?: boolean;
  /** Identifies a repeated multipart request: its fields and the content of its files. */
  readonly fingerprint?: (prepared: R) => string;
  /** It takes no locks, or a document's body first, and may share a commit with others like it. */
  readonly sharesCommit?: boolean;
  /** Costly or slow work before the transaction, such as parsing or receiving a file. */
  readonly prepare?: (input: Input<Static<P>, Static<Q>, Static<B>> & { readonly db: VisibleReader }) => Promise<R>;
  /** Runs inside the transaction that also stores the idempotency key and the audit row. */
  readonly handler: (
    input: Input<Static<P>, Static<Q>, Static<B>> & { readonly tx: Tx; readonly prepared: R },
  ) => Promise<Answer>;
}

export type Route = ReadRoute | WriteRoute;

const flagsOf = (action: Action): Flags => ({
  discusses: action === "discuss",
  suggestible: action === "write_or_suggest",
  personal: action === "personal",
});

/** The fields that a schema declares. A schema that is not given declares none. */
type FieldOf<S extends TSchema> = string extends keyof Static<S> ? never : Extract<keyof Static<S>, string>;

/** A route as a module declares it: its access may name only fields that it has. */
type Declared<R extends Flags & { readonly access: Access }, A extends Action, Field extends string> = Omit<
  R,
  "kind" | "method" | "access" | keyof Flags
> & { readonly access: Access<A, Field> };

/** A GET. Its handler reads from the reader connection and cannot write. */
export const read = <P extends TObject, Q extends TObject>(
  route: Declared<ReadRoute<P, Q>, ReadAction, FieldOf<Q>>,
): Route => ({ ...route, ...flagsOf(route.access.action), kind: "read", method: "GET" }) as unknown as Route;

const writing =
  (method: WriteRoute["method"]) =>
  <P extends TObject, Q extends TObject, B extends TSchema, R = undefined>(
    route: Declared<WriteRoute<P, Q, B, R>, WriteAction, FieldOf<Q> | FieldOf<B>>,
  ): Route =>
    ({ ...route, ...flagsOf(route.access.action), kind: "write", method }) as unknown as Route;

export const post = writing("POST");
export const put = writing("PUT");
export const patch = writing("PATCH");
export const remove = writing("DELETE");

/** Thrown by a handler that only shows what would happen: the answer is sent, the transaction is rolled back. */
export class DryRun {
  readonly answer: Answer;
  constructor(answer: Answer) {
    this.answer = answer;
  }
}
