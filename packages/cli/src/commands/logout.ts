import type { Command } from "commander";
import { usage } from "../command-error.ts";
import { readCredentials, writeCredentials } from "../credentials.ts";
import { withServer } from "../options.ts";
import { note, type OutputOptions, print } from "../output.ts";
import type { ProfileOption } from "../session.ts";

interface Options extends OutputOptions, ProfileOption {
  readonly all?: boolean;
}

async function run(options: Options): Promise<void> {
  const { current, profiles } = readCredentials();
  const chosen = options.profile ?? (process.env.SVC_PROFILE || current);
  const names = options.all ? Object.keys(profiles) : chosen === null ? [] : [chosen];
  for (const name of names)
    if (!Object.hasOwn(profiles, name)) throw usage(`There is no profile ${name}.`, "svc profiles");
  const left = Object.fromEntries(Object.entries(profiles).filter(([name]) => !names.includes(name)));
  const next = current !== null && Object.hasOwn(left, current) ? current : (Object.keys(left)[0] ?? null);
  writeCredentials({ current: next, profiles: left });
  print(options, { forgotten: names, current: next }, [
    ...(names.length === 0
      ? ["You were not signed in."]
      : names.map((name) => `The token of ${name} is forgotten here.`)),
    ...(next !== null && next !== current ? [`The profile ${next} is used from now on.`] : []),
  ]);
  for (const name of names) note(`     → ${profiles[name]?.url}/account/tokens revokes the token itself`);
}

export function define(command: Command): void {
  withServer(command).option("--all", "every profile").action(run);
}
