import type { Db } from "./database.ts";
import { type Ready, runReady } from "./prepared.ts";
import { connectionBelow } from "./sqlite-dialect.ts";

/** More are run one by one: each number of them would be a statement of its own to prepare. */
const mostJoined = 8;

/**
 * Runs statements that have nothing to do with each other: no two touch the same row, and none reads what another
 * writes. Where every statement is a message there and back, they are sent as one. Gives the rows of the last.
 */
export async function runTogether<Row>(db: Db, before: readonly Ready<unknown>[], last: Ready<Row>): Promise<Row[]> {
  if (before.length <= mostJoined && !connectionBelow(db)) return runJoined(db, before, last);
  for (const { query, parameters } of before) await runReady(db, query, parameters);
  return runReady(db, last.query, last.parameters);
}

/** The others stand in the last one's `with`, where each is run once. */
function runJoined<Row>(db: Db, before: readonly Ready<unknown>[], last: Ready<Row>): Promise<Row[]> {
  const parameters: unknown[] = [];
  const add = ({ query, parameters: own }: Ready<unknown>): string => {
    const offset = parameters.length;
    parameters.push(...own);
    return offset === 0 ? query.sql : query.sql.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`);
  };
  const parts = before.map((statement, i) => `part${i} as (${add(statement)})`);
  const sql = `${parts.length > 0 ? `with ${parts.join(", ")} ` : ""}${add(last)}`;
  return runReady(db, { ...last.query, sql }, parameters);
}
