import type { Me, Quota } from "@svc/sdk";
import type { Command } from "commander";
import { clientFor } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, shownSize, shownTime } from "../output.ts";
import { findSession, type Session } from "../session.ts";

interface Options extends ServerOptions {
  readonly quota?: boolean;
}

async function run(options: Options): Promise<void> {
  const session = findSession(options);
  const client = clientFor(session.url, session.token);
  const { data: me } = await client.get("/me");
  const quota = options.quota ? (await client.get("/me/quota")).data : undefined;
  const { url, profile } = session;
  print(options, { url, profile, ...me, ...(quota && { quota }) }, [
    ...lines(session, me),
    ...(quota ? used(quota) : []),
  ]);
}

const lines = ({ url, profile }: Session, { user, workspace, scopes, token, token_id }: Me): string[] => [
  `${user.name} (${user.email})`,
  `server     ${url}${profile === null ? " (token from SVC_TOKEN)" : `, profile ${profile}`}`,
  `workspace  ${workspace.name} (${workspace.id}), ${workspace.role}`,
  `token      ${token.name} (${token_id}), ${token.expires_at === null ? "does not expire" : `until ${shownTime(token.expires_at)}`}`,
  `scopes     ${scopes.join(" ")}`,
];

const used = (quota: Quota): string[] => [
  `used       ${quota.knowledge_bases.used} of ${quota.knowledge_bases.limit} knowledge bases`,
  `           ${quota.documents.used} of ${quota.documents.limit} documents`,
  `           ${quota.folders.used} of ${quota.folders.limit} folders`,
  `           ${shownSize(quota.attachments.used_bytes)} of ${shownSize(quota.attachments.limit_bytes)} attachments`,
  `           ${quota.machine_translation.used_characters} of ${quota.machine_translation.limit_characters} characters translated today`,
];

export function define(command: Command): void {
  withServer(command).option("--quota", "also how much of the workspace is used").action(run);
}
