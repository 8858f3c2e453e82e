import type { Migration } from "../migration.ts";
import { accounts } from "./0001-schema/accounts.ts";
import { bodies } from "./0001-schema/bodies.ts";
import { concepts } from "./0001-schema/concepts.ts";
import { discussion } from "./0001-schema/discussion.ts";
import { documents } from "./0001-schema/documents.ts";
import { events } from "./0001-schema/events.ts";
import { history } from "./0001-schema/history.ts";
import { jobs } from "./0001-schema/jobs.ts";
import { live } from "./0001-schema/live.ts";
import { localization } from "./0001-schema/localization.ts";
import { oauth } from "./0001-schema/oauth.ts";
import { personal } from "./0001-schema/personal.ts";
import { relations } from "./0001-schema/relations.ts";
import { rights } from "./0001-schema/rights.ts";
import { search } from "./0001-schema/search.ts";
import { server } from "./0001-schema/server.ts";
import { signIn } from "./0001-schema/sign-in.ts";
import { summaries } from "./0001-schema/summaries.ts";

/** A table that others refer to is created before them. */
const PARTS: readonly Migration[] = [
  accounts,
  server,
  documents,
  localization,
  bodies,
  history,
  events,
  relations,
  jobs,
  summaries,
  concepts,
  signIn,
  search,
  discussion,
  live,
  personal,
  oauth,
  rights,
];

/** The whole schema of release 1.0. */
export const schema: Migration = async (db, types) => {
  for (const create of PARTS) await create(db, types);
};
