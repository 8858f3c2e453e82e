import type { Reader } from "@svc/server/db/database";
import type { Access, TokenRow } from "@svc/server/db/schema/tables/accounts";
import { notifySecurityEvent } from "@svc/server/domain/discussion/notifications/notify-security";
import { AccountError } from "@svc/server/domain/identity/accounts/account-error";
import { auditWords, OPERATOR } from "@svc/server/domain/identity/accounts/audit-words";
import { getUserByEmail, getWorkspace } from "@svc/server/domain/identity/accounts/create-user";
import { createTokenFor } from "@svc/server/domain/identity/tokens/create-token-for";
import { findToken, listTokens, listWorkspaceTokens, revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { DAY_MS } from "@svc/server/time";
import { type Command, InvalidArgumentError, Option } from "commander";
import { JSON_FLAG, type OutputOptions, print, shownTime, table } from "../output.ts";
import { auditCommand, tellingOf, withStore } from "./store.ts";

interface CreateOptions extends OutputOptions {
  readonly email: string;
  readonly access: Access;
  readonly workspace?: string;
  readonly name?: string;
  readonly scopes?: string[];
  readonly expiresInDays?: number;
  readonly kb?: readonly number[];
}

const scopeList = (text: string): string[] => {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => name === "")) throw new InvalidArgumentError("Give scopes separated by commas.");
  return names;
};

const baseIds = (text: string, before: readonly number[] = []): number[] => {
  const id = /^(kb:)?[1-9]\d{0,14}$/.test(text) ? Number(text.replace("kb:", "")) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new InvalidArgumentError("Give the id of a knowledge base.");
  return [...before, id];
};

const dayCount = (text: string): number => {
  const days = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(days > 0 && days <= 36500)) throw new InvalidArgumentError("Give a number of days above 0, at most 36500.");
  return days;
};

async function create(options: CreateOptions): Promise<void> {
  const token = await withStore((database, config) =>
    database.transaction(async (tx) => {
      const { expiresInDays } = options;
      const expiresAt = expiresInDays === undefined ? null : Date.now() + Math.round(expiresInDays * DAY_MS);
      const made = await createTokenFor(tx, { ...options, expiresAt, knowledgeBaseIds: options.kb });
      const words = auditWords.tokenMade(OPERATOR, `${made.name} of ${made.userName}`, options.access);
      await auditCommand(tx, made.workspaceId, made.userId, "create_token", words);
      await notifySecurityEvent(tellingOf(config), tx, { ...made, words, isOperators: true });
      return made;
    }),
  );
  print(
    options,
    {
      token: token.token,
      token_id: token.tokenId,
      workspace_id: token.workspaceId,
      access: options.access,
      scopes: token.scopes,
      expires_at: token.expiresAt,
      knowledge_base_ids: options.kb ?? null,
    },
    [token.token, "", `${token.tokenId} for ${token.workspaceName}: keep it now, it is not shown again.`],
  );
}

const shownToken = <T extends TokenRow>({ token_hash: _hash, scopes, ...token }: T) => ({
  ...token,
  scopes: scopes.split(" "),
});

interface ListOptions extends OutputOptions {
  readonly email?: string;
  readonly workspace?: string;
}

/** Lists the tokens of a user, of a workspace, or of a user in a workspace. */
async function tokensFor(db: Reader, { email, workspace }: ListOptions) {
  if (email === undefined && workspace === undefined) throw new AccountError("Give --email, --workspace or both.");
  const userId = email === undefined ? undefined : (await getUserByEmail(db, email)).id;
  if (workspace === undefined)
    return (await listTokens(db, userId ?? "")).map((token) => ({ ...token, holder: email }));
  const all = await listWorkspaceTokens(db, (await getWorkspace(db, workspace)).id);
  return all
    .filter((token) => userId === undefined || token.user_id === userId)
    .map(({ holder_email, ...token }) => ({ ...token, holder: holder_email }));
}

async function list(options: ListOptions): Promise<void> {
  const tokens = await withStore(async ({ read }) => (await tokensFor(read, options)).map(shownToken));
  print(
    options,
    { tokens },
    table(
      ["ID", "USER", "NAME", "ACCESS", "WORKSPACE", "EXPIRES", "REVOKED", "LAST USED"],
      tokens.map((t) => [
        ...[t.id, t.holder ?? "", t.name, t.access, t.workspace_id],
        ...[shownTime(t.expires_at), shownTime(t.revoked_at), shownTime(t.last_used_at)],
      ]),
    ),
  );
}

async function revoke(tokenId: string, options: OutputOptions): Promise<void> {
  await withStore((database) =>
    database.transaction(async (tx) => {
      const token = await revokeToken(tx, tokenId, Date.now());
      if (!token) throw new AccountError(`There is no token ${tokenId}.`);
      const found = await findToken(tx, tokenId, token.workspace_id);
      const words = auditWords.tokenRevoked(OPERATOR, found?.name ?? tokenId, found?.holder ?? "somebody");
      await auditCommand(tx, token.workspace_id, token.user_id, "revoke_token", words);
    }),
  );
  print(options, { token_id: tokenId, revoked: true }, [`${tokenId} is revoked.`]);
}

export function define(tokens: Command): void {
  tokens
    .command("create")
    .description("make a token; its value is shown this once")
    .requiredOption("--email <email>", "of the user it speaks for")
    .addOption(
      new Option("--access <access>", "read only, or everything")
        .choices(["read_write", "suggest", "read_only"])
        .makeOptionMandatory(),
    )
    .option("--workspace <id or name>", "needed when the user has several")
    .option("--name <name>", "to know it by")
    .option("--scopes <a,b>", "fewer scopes than the access allows", scopeList)
    .option("--kb <id>", "bind it to this knowledge base; may be repeated", baseIds)
    .option("--expires-in-days <days>", "without it the token does not expire", dayCount)
    .option(...JSON_FLAG)
    .action(create);
  tokens
    .command("list")
    .description("tokens of a user or of a workspace, without their values")
    .option("--email <email>", "of this user")
    .option("--workspace <id or name>", "of this workspace")
    .option(...JSON_FLAG)
    .action(list);
  tokens
    .command("revoke")
    .description("end a token at once")
    .argument("<token id>", "tok_…")
    .option(...JSON_FLAG)
    .action(revoke);
}
