import type { Readable } from "node:stream";
import type { EventReads } from "../events/queries.ts";
import type { EventFilter } from "../events/rendered.ts";
import type { Caller } from "../http/callers/caller.ts";

export interface StreamRequest {
  readonly caller: Pick<Caller, "tokenId" | "workspaceId">;
  readonly filter: EventFilter;
  /** Undefined starts now; `unknown` is an id that this server never gave. */
  readonly after: number | "unknown" | undefined;
}

/** The event streams that this process has open. */
export interface EventStreams {
  readonly reads: EventReads;
  /** The number of open streams. */
  readonly size: number;
  open(request: StreamRequest): Promise<Readable>;
  /** Ends every stream, at once and cleanly, and opens no new ones. */
  close(): Promise<void>;
}
