import { text } from "node:stream/consumers";
import { type Config, readConfig } from "@svc/server/config";
import type { Tx } from "@svc/server/db/database";
import type { Role, UserRow } from "@svc/server/db/schema/tables/accounts";
import { notifySecurityEvent } from "@svc/server/domain/discussion/notifications/notify-security";
import { AccountError } from "@svc/server/domain/identity/accounts/account-error";
import { auditWords, OPERATOR } from "@svc/server/domain/identity/accounts/audit-words";
import { isCommonPassword } from "@svc/server/domain/identity/accounts/common-passwords";
import { createUser, getUserByEmail } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword, MAX_PASSWORD_BYTES } from "@svc/server/domain/identity/accounts/password";
import { offerReset } from "@svc/server/domain/identity/accounts/password-reset";
import { listMemberships, listUsers, markVerified } from "@svc/server/domain/identity/accounts/queries";
import { deleteFactors } from "@svc/server/domain/identity/factors/queries";
import { disableUser, enableUser, removeUser } from "@svc/server/domain/identity/members/close-account";
import { deleteSessionsOf } from "@svc/server/domain/identity/sessions/queries";
import { type Command, Option } from "commander";
import { JSON_FLAG, note, type OutputOptions, print, shownTime, table } from "../output.ts";
import { auditCommand, tellingOf, withStore } from "./store.ts";

export const roleOption = () =>
  new Option("--role <role>", "what the user may do there").choices(["owner", "editor", "viewer"]);

interface CreateOptions extends OutputOptions {
  readonly email: string;
  readonly name: string;
  readonly password?: string;
  readonly workspace?: string;
  readonly role?: Role;
}

async function passwordFrom(options: CreateOptions): Promise<string> {
  const password = options.password ?? (process.stdin.isTTY ? "" : (await text(process.stdin)).replace(/\r?\n$/, ""));
  if (password === "") throw new AccountError("Give a password with --password, or on standard input.");
  return password;
}

async function create(options: CreateOptions): Promise<void> {
  const password = await passwordFrom(options);
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    throw new AccountError(`A password has at most ${MAX_PASSWORD_BYTES} bytes: nobody could sign in with this one.`);
  if (isCommonPassword(password)) note("This password is one of the 10,000 most common: have the person change it.");
  const passwordHash = await hashPassword(password);
  const user = await withStore(
    (database) =>
      database.transaction(async (tx) => {
        const made = await createUser(tx, { ...options, passwordHash });
        const words = auditWords.accountMade(OPERATOR, made.name, made.role);
        await auditCommand(tx, made.workspaceId, made.userId, "create_user", words);
        return made;
      }),
    { isFirst: true },
  );
  print(
    options,
    {
      user_id: user.userId,
      email: user.email,
      name: user.name,
      workspace_id: user.workspaceId,
      workspace_name: user.workspaceName,
      role: user.role,
    },
    [`${user.email} (${user.userId}) is ${user.role} of ${user.workspaceName} (${user.workspaceId}).`],
  );
}

async function list(options: OutputOptions): Promise<void> {
  const rows = await withStore((database) => listUsers(database.read));
  print(
    options,
    { users: rows },
    table(
      ["ID", "EMAIL", "NAME", "WORKSPACE", "ROLE", "CREATED", "DISABLED"],
      rows.flatMap((user) =>
        (user.workspaces.length > 0 ? user.workspaces : [{ name: "-", id: "-", role: "-" }]).map((w) => [
          user.id,
          user.email,
          user.name,
          `${w.name} (${w.id})`,
          w.role,
          shownTime(user.created_at),
          shownTime(user.disabled_at),
        ]),
      ),
    ),
  );
}

/** Shared by the commands for one account: finds it by email and records the change in each of its workspaces. */
async function change<T>(
  email: string,
  action: string,
  words: (by: string, name: string) => string,
  work: (tx: Tx, user: UserRow, config: Config) => Promise<T>,
): Promise<{ user: UserRow; result: T }> {
  return withStore((database, config) =>
    database.transaction(async (tx) => {
      const user = await getUserByEmail(tx, email);
      const workspaces = await listMemberships(tx, user.id);
      const result = await work(tx, user, config);
      for (const { id } of workspaces) await auditCommand(tx, id, user.id, action, words(OPERATOR, user.name));
      return { user, result };
    }),
  );
}

interface EmailOption extends OutputOptions {
  readonly email: string;
}

const shownUser = ({ id, email }: UserRow) => ({ user_id: id, email });

async function disable(options: EmailOption): Promise<void> {
  const { user } = await change(options.email, "disable_user", auditWords.accountDisabled, (tx, { id }) =>
    disableUser(tx, id, Date.now()),
  );
  print(options, { ...shownUser(user), disabled: true }, [`${user.email} is disabled: sign-in is blocked.`]);
}

async function enable(options: EmailOption): Promise<void> {
  const { user } = await change(options.email, "enable_user", auditWords.accountEnabled, (tx, { id }) =>
    enableUser(tx, id),
  );
  print(options, { ...shownUser(user), disabled: false }, [`${user.email} works again, and so do its tokens.`]);
}

async function remove(options: EmailOption): Promise<void> {
  const { user } = await change(options.email, "delete_user", auditWords.accountDeleted, (tx, { id }) =>
    removeUser(tx, id),
  );
  print(options, { ...shownUser(user), deleted: true }, [`${user.email} is deleted. What they wrote stays.`]);
}

async function endSessions(options: EmailOption): Promise<void> {
  const { user, result } = await change(options.email, "end_sessions", auditWords.allSessionsEnded, (tx, { id }) =>
    deleteSessionsOf(tx, id),
  );
  print(options, { ...shownUser(user), ended: result.length }, [`${result.length} sessions of ${user.email} ended.`]);
}

async function resetPassword(options: EmailOption): Promise<void> {
  const { user, result } = await change(options.email, "offer_reset", auditWords.resetOffered, (tx, { id }) =>
    offerReset(tx, id),
  );
  const { baseUrl, host, port } = readConfig(process.env);
  const base = baseUrl?.replace(/\/+$/, "") ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const url = `${base}/reset/${result.secret}`;
  print(options, { ...shownUser(user), url, expires_at: result.expiresAt }, [
    url,
    "",
    `Sets a new password for ${user.email}, once, until ${shownTime(result.expiresAt)}.`,
  ]);
}

async function verifyEmail(options: EmailOption): Promise<void> {
  const { user } = await change(options.email, "verify_email", auditWords.emailVouched, (tx, { id }) =>
    markVerified(tx, id, Date.now()),
  );
  print(options, { ...shownUser(user), verified: true }, [`${user.email} counts as the address of ${user.name}.`]);
}

async function resetFactors(options: EmailOption): Promise<void> {
  const words = auditWords.factorsReset;
  const { user } = await change(options.email, "reset_factors", words, async (tx, { id, name }, config) => {
    await deleteFactors(tx, id);
    await deleteSessionsOf(tx, id);
    const [first] = await listMemberships(tx, id);
    const alert = { userId: id, words: words(OPERATOR, name), isOperators: true };
    if (first) await notifySecurityEvent(tellingOf(config), tx, { workspaceId: first.id, ...alert });
  });
  print(options, { ...shownUser(user), reset: true }, [
    `${user.email} has no passkeys and no codes any more, and is signed out everywhere.`,
  ]);
}

const EFFECTS = {
  disable: `
Sessions end at once, and nobody signs in. Tokens are refused for as long as the
account is disabled; "svc users enable" makes them work again. Documents,
versions, share links and webhooks stay, under the same name.`,
  enable: `
Tokens that were not revoked or expired meanwhile work again. Sessions do not
come back: the person signs in anew, with the same password.`,
  delete: `
Tokens, sessions, memberships and open invitations are gone for good, and no
name is left but in audit entries. Documents, versions, share links and webhooks
stay; their author is shown as somebody who is gone. A workspace that has no
other member stays without one: "svc members add" lets somebody in. Refused for
the only owner of a workspace that has other members.`,
  resetPassword: `
Prints a link that sets a new password once, within a day; an earlier link no
longer works. The old password works until then ("svc users disable" shuts the
account). Setting the password ends all sessions; tokens stay unless the person
chooses to revoke them.`,
  resetFactors: `
For somebody who lost their devices and recovery codes: passkeys, the
authenticator app and recovery codes are taken away, and all sessions end. The
password alone lets the person in then; make sure that it is them who asks.`,
  verifyEmail: `
For somebody who typed their address in, where no mail can prove it: a provider
of SVC_OIDC_ISSUER that knows the address opens the account from then on, as it
is. Without it, whoever signs in there may take the account over, and shuts out
who made it. Make sure that the address is the person's.`,
  endSessions: `
Every browser has to sign in again. Tokens stay: "svc tokens list" and "svc
tokens revoke" end those.`,
};

export function define(users: Command): void {
  const forEmail = (
    name: string,
    description: string,
    effects: string,
    action: (options: EmailOption) => Promise<void>,
  ) =>
    users
      .command(name)
      .description(description)
      .requiredOption("--email <email>", "of the user")
      .option(...JSON_FLAG)
      .addHelpText("after", effects)
      .action(action);
  forEmail("disable", "shut an account until it is enabled again", EFFECTS.disable, disable);
  forEmail("enable", "open a disabled account again", EFFECTS.enable, enable);
  forEmail("delete", "remove an account; what the person wrote stays", EFFECTS.delete, remove);
  forEmail("reset-password", "print a one-time link for a new password", EFFECTS.resetPassword, resetPassword);
  forEmail(
    "reset-factors",
    "take passkeys and codes away from somebody who lost them",
    EFFECTS.resetFactors,
    resetFactors,
  );
  forEmail("verify-email", "vouch for the address of an account", EFFECTS.verifyEmail, verifyEmail);
  forEmail("end-sessions", "sign a user out everywhere", EFFECTS.endSessions, endSessions);
  users
    .command("create")
    .description("create a user, with a workspace of their own unless --workspace names one")
    .requiredOption("--email <email>", "sign-in name")
    .requiredOption("--name <name>", "shown name")
    .option("--password <password>", "without it, the password is read from standard input")
    .option("--workspace <id or name>", "join this workspace")
    .addOption(roleOption())
    .option(...JSON_FLAG)
    .action(create);
  users
    .command("list")
    .description("all users and their workspaces")
    .option(...JSON_FLAG)
    .action(list);
}
