import { OwnPostgres } from "./postgres.ts";
import { until } from "./until.ts";

const STANDBY = "second";

/** Two servers: what the first has acknowledged the second has applied. */
export async function makePair(): Promise<[primary: OwnPostgres, standby: OwnPostgres]> {
  const primary = await OwnPostgres.start({ settings: ["synchronous_commit=remote_apply"] });
  const standby = await primary.makeStandby(STANDBY);
  await primary.run(`alter system set synchronous_standby_names = '${STANDBY}'`);
  await primary.run("select pg_reload_conf()");
  await until("the standby follows", async () => {
    const [row] = await primary.run("select sync_state from pg_stat_replication");
    return row?.sync_state === "sync";
  });
  return [primary, standby];
}

export const hostOf = ({ url }: OwnPostgres): string => new URL(url).host;

/** Names both, of which the one that takes writes is used. */
export const urlOf = (primary: OwnPostgres, standby: OwnPostgres): string =>
  `postgres://postgres@${hostOf(standby)},${hostOf(primary)}/postgres?target_session_attrs=read-write`;
