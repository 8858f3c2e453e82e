import { hostname, userInfo } from "node:os";
import { text } from "node:stream/consumers";
import { type DeviceCode, isApiError, loginWithDevice, type Me } from "@svc/sdk";
import type { Command } from "commander";
import { CommandError, usage } from "../command-error.ts";
import { clientFor } from "../connect.ts";
import { profileFor, readCredentials, writeCredentials } from "../credentials.ts";
import { EXIT } from "../exit-codes.ts";
import { openBrowser } from "../open-browser.ts";
import { withServer } from "../options.ts";
import { note, type OutputOptions, print, shownTime } from "../output.ts";
import { credentialsFile } from "../places.ts";
import { DEFAULT_URL, type ProfileOption, serverUrl } from "../session.ts";

interface Options extends OutputOptions, ProfileOption {
  readonly token?: boolean;
  readonly readOnly?: boolean;
  readonly browser: boolean;
}

async function run(server: string | undefined, options: Options): Promise<void> {
  const credentials = readCredentials();
  const named = options.profile ?? process.env.SVC_PROFILE;
  const given = server ?? process.env.SVC_URL;
  const url = given
    ? serverUrl(given)
    : (credentials.profiles[named || (credentials.current ?? "")]?.url ?? DEFAULT_URL);
  const name = named || profileFor(url, credentials);
  const token = options.token ? await tokenFromInput() : await tokenFromBrowser(url, options);
  const { data: me } = await clientFor(url, token).get("/me");
  const profile = { url, token, token_id: me.token_id, email: me.user.email, workspace: me.workspace.name };
  const kept = { ...profile, access: me.token.access, expires_at: me.token.expires_at };
  writeCredentials({ current: name, profiles: { ...credentials.profiles, [name]: kept } });
  print(options, { profile: name, url, ...me }, signedIn(name, url, me));
  if (process.env.SVC_TOKEN) note("SVC_TOKEN is set and comes first: unset it to use this token.");
}

async function tokenFromInput(): Promise<string> {
  if (process.stdin.isTTY) note("Paste the token and end with Ctrl-D.");
  const token = (await text(process.stdin)).trim();
  if (!/^svc_tok_[\x21-\x7e]+$/.test(token))
    throw usage("What came on standard input is not a token (svc_tok_…).", "svc login --token < file-with-the-token");
  return token;
}

async function tokenFromBrowser(url: string, { readOnly, browser }: Options): Promise<string> {
  const onCode = (code: DeviceCode) => {
    note(`Open ${code.verification_uri_complete}`);
    note(`and check that it shows the code ${code.user_code}. Waiting for you there …`);
    if (browser) openBrowser(code.verification_uri_complete);
  };
  const clientName = `svc on ${hostname()} (${userInfo().username})`.slice(0, 100);
  try {
    const access = readOnly ? "read_only" : "read_write";
    return (await loginWithDevice(clientFor(url), { clientName, access, onCode })).access_token;
  } catch (error) {
    throw isApiError(error, "access_denied", "expired_token") ? refused(error.code) : error;
  }
}

const refused = (code: string) =>
  new CommandError(
    EXIT.signIn,
    code === "access_denied" ? "The sign-in was refused in the browser." : "Nobody confirmed the sign-in in time.",
    { code, next: ["svc login"] },
  );

const signedIn = (name: string, url: string, { user, workspace, token }: Me): string[] => [
  `You are ${user.name} (${user.email}) at ${url}, in the workspace ${workspace.name}, and may ${
    token.access === "read_write" ? "read and write" : "read"
  }.`,
  `The token${token.expires_at === null ? "" : `, good until ${shownTime(token.expires_at)},`} is kept in ${credentialsFile()} as profile ${name}.`,
];

export function define(command: Command): void {
  withServer(command)
    .argument("[server]", `address of the server (else SVC_URL, the profile's, or ${DEFAULT_URL})`)
    .option("--token", "read a token from standard input instead of asking in the browser")
    .option("--read-only", "ask for a token that only reads")
    .option("--no-browser", "only show the address")
    .addHelpText(
      "after",
      "\nSVC_URL and SVC_TOKEN, where they are set, come before what is kept; SVC_PROFILE chooses a profile.",
    )
    .action(run);
}
