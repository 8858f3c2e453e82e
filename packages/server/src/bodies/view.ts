import type { LastStepName } from "../db/transaction/last-steps.ts";
import type { Route } from "../http/route.ts";
import type { JobKind } from "../jobs/job.ts";
import type { BodyView } from "../services/body-views.ts";
import type { Services } from "../services.ts";

/** Background work of a view. */
export interface ViewWork {
  stop(): Promise<void>;
  /** Notifies it that there is work to do. */
  wake?(): void;
}

/**
 * Data derived from bodies and stored beside them, in the transaction of the write. A view declares everything it adds
 * to the server, so adding one takes a folder and a line in `views/index.ts`.
 */
export interface View extends BodyView<Services> {
  /** Its part of the API. */
  readonly routes?: readonly Route[];
  readonly jobs?: readonly JobKind[];
  start?(app: Services): ViewWork;
  /** Its last step before the commit, which comes before the events and belongs to no other view. */
  readonly lastStep?: LastStepName;
}
