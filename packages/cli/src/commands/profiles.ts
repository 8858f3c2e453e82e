import type { Command } from "commander";
import { usage } from "../command-error.ts";
import { readCredentials, writeCredentials } from "../credentials.ts";
import { JSON_FLAG, type OutputOptions, print, shownTime, table } from "../output.ts";

function list(options: OutputOptions): void {
  const { current, profiles } = readCredentials();
  const shown = Object.entries(profiles).map(([name, { token: _, ...profile }]) => ({
    name,
    current: name === current,
    ...profile,
  }));
  print(
    options,
    { profiles: shown },
    table(
      ["", "NAME", "SERVER", "EMAIL", "WORKSPACE", "ACCESS", "UNTIL"],
      shown.map((one) => [
        ...[one.current ? "*" : "", one.name, one.url, one.email, one.workspace],
        ...[one.access, shownTime(one.expires_at)],
      ]),
    ),
  );
}

function use(name: string, options: OutputOptions): void {
  const { profiles } = readCredentials();
  if (!Object.hasOwn(profiles, name)) throw usage(`There is no profile ${name}.`, "svc profiles");
  writeCredentials({ current: name, profiles });
  print(options, { current: name }, [`${name} (${profiles[name]?.url}) is used from now on.`]);
}

export function define(profiles: Command): void {
  profiles
    .command("list", { isDefault: true })
    .description("every server you are signed in to (also plain svc profiles)")
    .option(...JSON_FLAG)
    .action(list);
  profiles
    .command("use")
    .description("use this one when none is named")
    .argument("<profile>", "its name")
    .option(...JSON_FLAG)
    .action(use);
}
