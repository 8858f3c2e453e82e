import { defined } from "@svc/document/defined";
import type { Ask } from "../statement/batched-lookup.ts";
import { type LookupText, nameOf } from "../statement/lookup.ts";
import type { PostgresConnection } from "./connection.ts";

type Run = (text: string, values: unknown[]) => Promise<unknown[]>;

/**
 * Asks for the rows of many keys at once. Each list of keys is a subquery, so that the planner does not look into it:
 * it would plan again for every length, which takes longer than the lookup.
 */
export function askFor<Row>({ select, from, key }: LookupText, run: Run): Ask<Row> {
  const asked = key.map((_, i) => `key${i}`);
  const lists = key.map((_, i) => `(select $${i + 1}::text[])`);
  const on = key.map((column, i) => `${column} = asked.key${i}`);
  const text = `select ${select} from ${from} join unnest(${lists}) as asked (${asked}) on ${on.join(" and ")}`;
  const names = key.map((column) => column.slice(column.indexOf(".") + 1));
  return async (keys) => {
    const rows = (await run(
      text,
      key.map((_, i) => keys.map((one) => one[i])),
    )) as Record<string, string>[];
    return new Map(rows.map((row) => [nameOf(names.map((name) => defined(row[name]))), row as Row]));
  };
}

/** A connection for the queries of one turn of the event loop, sent in one message. */
interface Shared {
  readonly connection: Promise<PostgresConnection>;
  users: number;
}

/**
 * Sends quick reads that are asked for in the same moment as one message, because a message takes far longer than a
 * read. A failing read takes the later ones with it, so all of these run `again`, one by one.
 */
export function runTogether(take: () => Promise<PostgresConnection>, again: Run): Run {
  let shared: Shared | undefined;
  const open = (): Shared => {
    queueMicrotask(() => {
      shared = undefined;
    });
    return { connection: take(), users: 0 };
  };
  return async (text, values) => {
    shared ??= open();
    const { connection } = shared;
    const own = shared;
    own.users++;
    const taken = await connection;
    try {
      return (await taken.run(text, values)).rows;
    } catch {
      return await again(text, values);
    } finally {
      if (--own.users === 0) taken.release();
    }
  };
}
