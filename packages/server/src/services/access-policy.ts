import type { Reader, VisibleReader } from "../db/database.ts";
import type { Access } from "../http/access.ts";
import type { Written } from "../http/answer.ts";
import type { Caller } from "../http/callers/caller.ts";

/** The parts of a request that name resources, before they are validated. */
export interface RequestFields {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Decides for callers who do not have the same role in every knowledge base. */
export interface AccessPolicy {
  /** Checks that the caller may do what a route declares. */
  checkRequest(db: VisibleReader, access: Access, caller: Caller, fields: RequestFields): Promise<void>;
  /** Refuses to repeat a kept answer about a subject that the caller no longer sees. `all` sees every row. */
  checkReplay(db: VisibleReader, all: Reader, access: Access, caller: Caller, kept: Written): Promise<void>;
}
