import { defined } from "@svc/document/defined";
import type { Command } from "commander";
import { usage } from "../command-error.ts";
import { USER_AGENT } from "../connect.ts";
import { type Profile, readCredentials, writeCredentials } from "../credentials.ts";
import { withServer } from "../options.ts";
import { note, type OutputOptions, print } from "../output.ts";
import type { ProfileOption } from "../session.ts";

const REVOKE_MS = 10_000;

interface Options extends OutputOptions, ProfileOption {
  readonly all?: boolean;
  readonly keepToken?: boolean;
}

async function run(options: Options): Promise<void> {
  const { current, profiles } = readCredentials();
  const chosen = options.profile ?? (process.env.SVC_PROFILE || current);
  const names = options.all ? Object.keys(profiles) : chosen === null ? [] : [chosen];
  for (const name of names)
    if (!Object.hasOwn(profiles, name)) throw usage(`There is no profile ${name}.`, "svc profiles");
  const left = Object.fromEntries(Object.entries(profiles).filter(([name]) => !names.includes(name)));
  const next = current !== null && Object.hasOwn(left, current) ? current : (Object.keys(left)[0] ?? null);
  const revoked: string[] = [];
  for (const name of names)
    if (options.keepToken !== true && (await revoke(defined(profiles[name])))) revoked.push(name);
  writeCredentials({ current: next, profiles: left });
  print(options, { forgotten: names, revoked, current: next }, [
    ...(names.length === 0 ? ["You were not signed in."] : names.map((name) => outcome(name, revoked.includes(name)))),
    ...(next !== null && next !== current ? [`The profile ${next} is used from now on.`] : []),
  ]);
  for (const name of names)
    if (!revoked.includes(name)) note(`     → ${profiles[name]?.url}/account/tokens revokes the token itself`);
}

const outcome = (name: string, isRevoked: boolean): string =>
  isRevoked ? `The token of ${name} is revoked and forgotten.` : `The token of ${name} is forgotten here.`;

/** Ends the token at its server (RFC 7009). One that is out of reach does not keep anybody signed in here. */
async function revoke({ url, token }: Profile): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
      headers: { "user-agent": USER_AGENT },
      redirect: "error",
      signal: AbortSignal.timeout(REVOKE_MS),
    });
    return answer.status === 200;
  } catch {
    return false;
  }
}

export function define(command: Command): void {
  withServer(command)
    .option("--all", "every profile")
    .option("--keep-token", "only forget the token here; it goes on working elsewhere")
    .action(run);
}
