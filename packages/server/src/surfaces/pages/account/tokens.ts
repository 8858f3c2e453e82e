import {
  lifetimes,
  newTokenPage,
  type TokenForm,
  type TokenItem,
  tokensPage,
} from "@svc/web/server/pages/account/tokens";
import type { Access, TokenRow } from "../../../db/schema/tables/accounts.ts";
import { notifySecurityEvent } from "../../../domain/discussion/notifications/notify-security.ts";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import { checkTokenQuota } from "../../../domain/identity/tokens/check-token-quota.ts";
import { chosenScopes, createToken } from "../../../domain/identity/tokens/create-token.ts";
import {
  findToken,
  listTokensByHand,
  listWorkspaceTokens,
  revokeToken,
} from "../../../domain/identity/tokens/queries.ts";
import { ApiError } from "../../../errors.ts";
import { readScopes, type Scope, scopes, scopesOf } from "../../../http/callers/scopes.ts";
import { DAY_MS } from "../../../time.ts";
import { listBases } from "../library/browse-queries.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { withProof } from "../sign-in/prove.ts";
import { audit, canWriteSomewhere, get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { holdSession } from "./hold-session.ts";

const EMPTY: TokenForm = { name: "", access: "read_only", scopes: [], bases: [], days: "90" };

function itemOf(row: TokenRow): TokenItem {
  const scopes = row.scopes.split(" ").filter(Boolean);
  return {
    id: row.id,
    name: row.name,
    access: row.access,
    scopes,
    isPartial: scopes.length < chosenScopes(row.access, undefined).length,
    isBound: typeof row.knowledge_base_ids === "string",
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastClient: row.last_client,
  };
}

/** A person who cannot write anywhere is not offered a token that could. Suggesting is not writing. */
const offered = (visit: MemberVisit): readonly Scope[] => (canWriteSomewhere(visit) ? scopes : scopesOf.suggest);

async function showTokens(visit: MemberVisit, form: TokenForm = EMPTY, status = 200): Promise<Outcome> {
  const { workspace, userId } = visit.viewer;
  const { read } = visit.app.database;
  const [rows, all, bases] = await Promise.all([
    listTokensByHand(read, userId, workspace.id),
    workspace.role === "owner" ? listWorkspaceTokens(read, workspace.id) : [],
    listBases(read, workspace.id),
  ]);
  const others = all.filter((row) => row.user_id !== userId);
  return show(
    tokensPage({
      formToken: visit.formToken,
      workspaceName: workspace.name,
      canWrite: canWriteSomewhere(visit),
      tokens: rows.map(itemOf).reverse(),
      others: others.map((row) => ({ ...itemOf(row), holder: row.holder })),
      scopes: offered(visit),
      bases: bases.map(({ id, name }) => ({ id: String(id), name })),
      form,
      now: Date.now(),
    }),
    status,
  );
}

const typedIn = (form: URLSearchParams): TokenForm => ({
  name: form.get("name") ?? "",
  access: form.get("access") ?? "",
  scopes: form.getAll("scope"),
  bases: form.getAll("base"),
  days: form.get("days") ?? "",
});

/** The token that the form asks for. */
function readTokenForm(visit: MemberVisit, typed: TokenForm) {
  const wanted = wantedScopes(typed, offered(visit), canWriteSomewhere(visit));
  if (!lifetimes.some(({ days }) => days === typed.days)) throw new AccountError("Choose when the token expires.");
  return {
    userId: visit.viewer.userId,
    workspaceId: visit.viewer.workspace.id,
    name: normaliseName(typed.name),
    ...wanted,
    knowledgeBaseIds: wantedBases(typed),
    expiresAt: typed.days === "never" ? null : Date.now() + Number(typed.days) * DAY_MS,
  };
}

/** The ticked knowledge bases; null if none was ticked, and the token reaches all. */
function wantedBases({ bases }: TokenForm): number[] | null {
  if (bases.some((id) => !/^[1-9]\d{0,14}$/.test(id))) throw new AccountError("Choose knowledge bases from the list.");
  return bases.length === 0 ? null : bases.map(Number);
}

function wantedScopes(
  typed: TokenForm,
  allowed: readonly Scope[],
  mayWrite: boolean,
): { readonly access: Access; readonly scopes?: readonly Scope[] } {
  if (typed.access === "read_only" || typed.access === "suggest") return { access: typed.access };
  if (typed.access === "read_write" && mayWrite) return { access: "read_write" };
  if (typed.access !== "chosen") throw new AccountError("Choose what the token may do.");
  const chosen = allowed.filter((scope) => typed.scopes.includes(scope));
  if (chosen.length === 0) throw new AccountError("Tick at least one scope.");
  return { access: leastAccess(chosen), scopes: chosen };
}

/** The narrowest access that includes all of these scopes. */
function leastAccess(chosen: readonly Scope[]): Access {
  if (chosen.every((scope) => readScopes.includes(scope))) return "read_only";
  return chosen.every((scope) => scopesOf.suggest.includes(scope)) ? "suggest" : "read_write";
}

/** Turns a used-up quota into a message for the form. */
function quotaComplaint(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "quota_exceeded") throw error;
  throw new AccountError(
    `You have ${error.details.limit} tokens here, as many as one person may have: revoke one or disconnect a program first.`,
  );
}

async function makeToken(visit: MemberVisit): Promise<Outcome> {
  const typed = typedIn(visit.form);
  const input = await catchComplaint(async () => readTokenForm(visit, typed));
  if (isComplaint(input)) return showTokens(visit, { ...typed, wrong: input.complaint }, 422);
  const { database, config } = visit.app;
  const created = await catchComplaint(() =>
    database.transaction(async (tx) => {
      await holdSession(tx, visit);
      await checkTokenQuota(tx, input.userId, input.workspaceId, config.maxTokensPerUser).catch(quotaComplaint);
      const words = auditWords.tokenMade(visit.viewer.name, input.name, input.access);
      await audit(tx, visit, "create_token", words, 201);
      await notifySecurityEvent(visit.app, tx, { workspaceId: input.workspaceId, userId: input.userId, words });
      return createToken(tx, input);
    }),
  );
  if (isComplaint(created)) return showTokens(visit, { ...typed, wrong: created.complaint }, 422);
  return show(newTokenPage({ name: input.name, token: created.token, baseUrl: visit.baseUrl }), 201);
}

/** Ends a token: your own, or as an owner any token of the workspace. */
async function endToken(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("token") ?? "";
  const { userId, workspace } = visit.viewer;
  await visit.app.database.transaction(async (tx) => {
    const token = await findToken(tx, id, workspace.id);
    if (!token || (token.user_id !== userId && workspace.role !== "owner")) return;
    await revokeToken(tx, id, Date.now());
    await audit(tx, visit, "revoke_token", auditWords.tokenRevoked(visit.viewer.name, token.name, token.holder));
  });
  return goTo("/account/tokens", "token-revoked");
}

export const tokenPages = [
  get("/account/tokens", (visit) => showTokens(visit)),
  withProof(post("/account/tokens", makeToken)),
  post("/account/tokens/revoke", endToken),
];
