import { authorizePage } from "@svc/web/server/pages/account/authorize";
import { messagePage } from "@svc/web/server/pages/message";
import type { Access } from "../../../db/schema/tables/accounts.ts";
import { listWritingWorkspaces } from "../../../domain/access/policy/writing-workspaces.ts";
import { notifySecurityEvent } from "../../../domain/discussion/notifications/notify-security.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import {
  type AuthorizationRequest,
  accessOf,
  answerUrl,
  grantableScopes,
  readAuthorizationRequest,
  redirectOf,
} from "../../../domain/identity/oauth/authorization-request.ts";
import { issueCode } from "../../../domain/identity/oauth/grant.ts";
import {
  findKnownClient,
  isDescriptionAddress,
  type KnownClient,
  storedClient,
} from "../../../domain/identity/oauth/known-client.ts";
import { OAuthError } from "../../../domain/identity/oauth/oauth-error.ts";
import { isLoopback, redirectSource } from "../../../domain/identity/oauth/redirect-uri.ts";
import { DescriptionError } from "../../../ports/client-metadata/fetch-description.ts";
import { contentPolicy } from "../content-policy.ts";
import { isProvenNow } from "../sign-in/proof.ts";
import type { Viewer } from "../viewer.ts";
import {
  audit,
  goTo,
  isLocalPath,
  isMember,
  type MemberVisit,
  type Outcome,
  post,
  publicGet,
  show,
  type Visit,
} from "../visit.ts";
import { holdSession } from "./hold-session.ts";
import { visibleBases } from "./visible-bases.ts";

/** Shows the error on our own page, for requests whose redirect address is not trusted. */
const refused = (text: string): Outcome =>
  show(messagePage({ title: "This program cannot be connected", text: `${text} Nothing was changed.` }), 400);

const UNKNOWN = "This program is not registered here. Start the connection again in the program.";

/** The whole request has to survive a sign-in. */
const TOO_LONG = "The request is too long: use a shorter state.";

/** The address of the consent page. */
const questionOf = (query: URLSearchParams): string => `/oauth/authorize?${query}`;

/** Fetches a client's description from elsewhere only for signed-in people. */
async function clientOf(visit: Visit, query: URLSearchParams): Promise<KnownClient | undefined> {
  const ids = query.getAll("client_id");
  const [id = ""] = ids;
  if (ids.length !== 1 || id.length > 2000) return undefined;
  const { database, fetchDescription } = visit.app;
  return visit.viewer ? findKnownClient(database, id, fetchDescription) : storedClient(database, id);
}

/** The request and its client, or the answer for a request that is refused. */
async function readRequest(visit: Visit, query: URLSearchParams): Promise<AuthorizationRequest | Outcome> {
  let client: KnownClient | undefined;
  try {
    client = await clientOf(visit, query);
  } catch (error) {
    if (error instanceof DescriptionError || error instanceof OAuthError) return refused(error.message);
    if (error instanceof SyntaxError) return refused("The program's description is not JSON.");
    throw error;
  }
  const isTooLong = !isLocalPath(questionOf(query));
  if (!client && !visit.viewer && isDescriptionAddress(query.get("client_id") ?? ""))
    return isTooLong ? refused(TOO_LONG) : signInFirst(query);
  if (!client) return refused(UNKNOWN);
  const redirectUri = redirectOf(client, query);
  if (redirectUri === undefined)
    return refused("The program requested a redirect to an address that it did not register.");
  try {
    if (isTooLong) throw new OAuthError("invalid_request", TOO_LONG);
    return readAuthorizationRequest(client, redirectUri, query, visit.baseUrl);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { code, message } = error;
    return sendTo(visit, redirectUri, { error: code, error_description: message, state: query.get("state") }, 302);
  }
}

const sendTo = (
  { baseUrl }: Visit,
  redirectUri: string,
  fields: Record<string, string | null>,
  status = 303,
): Outcome => ({ status, location: answerUrl(redirectUri, { ...fields, iss: baseUrl }) });

const signInFirst = (query: URLSearchParams): Outcome => ({
  status: 303,
  location: `/sign-in?next=${encodeURIComponent(questionOf(query))}`,
});

/** An approval creates a token, so the proof comes first: the answer leads away from here. */
const proveFirst = (query: URLSearchParams): Outcome => goTo(`/prove?next=${encodeURIComponent(questionOf(query))}`);

const isRequest = (read: AuthorizationRequest | Outcome): read is AuthorizationRequest => "challenge" in read;

async function showConsent(visit: Visit): Promise<Outcome> {
  const request = await readRequest(visit, visit.query);
  if (!isRequest(request)) return request;
  if (!isMember(visit)) return signInFirst(visit.query);
  if (!isProvenNow(visit.viewer)) return proveFirst(visit.query);
  return consentTo(visit, request, visit.query);
}

async function consentTo(
  visit: MemberVisit,
  request: AuthorizationRequest,
  query: URLSearchParams,
  wrong?: string,
): Promise<Outcome> {
  const { client, redirectUri, scopes } = request;
  const { viewer } = visit;
  const mayWrite = (await listWritingWorkspaces(visit.everywhere.database.read, viewer.userId)).size > 0;
  const [reading, suggesting] = [grantableScopes(scopes, "read_only"), grantableScopes(scopes, "suggest")];
  return {
    ...show(
      authorizePage({
        formToken: visit.formToken,
        request: query.toString(),
        clientName: client.name,
        clientUri: client.uri,
        site: client.site,
        leadsTo: redirectSource(redirectUri),
        isOnOwnMachine: isLoopback(new URL(redirectUri)),
        scopes: mayWrite ? scopes : suggesting,
        asksToWrite: mayWrite && accessOf(scopes) === "read_write",
        canSuggest: suggesting.length > reading.length,
        canOnlyRead: reading.length > 0,
        person: `${viewer.name} (${viewer.email})`,
        workspace: viewer.workspace,
        workspaces: viewer.workspaces,
        bases: (await visibleBases(visit)).map(({ workspace, bases }) => ({
          workspace,
          bases: bases.map(({ id, name }) => ({ id, name })),
        })),
        wrong,
      }),
      wrong === undefined ? 200 : 422,
    ),
    headers: { "content-security-policy": contentPolicy({ formLeadsTo: redirectSource(redirectUri) }) },
  };
}

const workspaceOf = (visit: MemberVisit): Viewer["workspace"] =>
  visit.viewer.workspaces.find(({ id }) => id === visit.form.get("workspace")) ?? visit.viewer.workspace;

/**
 * The ticked knowledge bases that belong to the chosen workspace and are visible to the person; null if none was
 * ticked.
 */
async function chosenBases(visit: MemberVisit, workspaceId: string): Promise<readonly number[] | null> {
  const ticked = new Set(visit.form.getAll("base"));
  if (ticked.size === 0) return null;
  const offered = (await visibleBases(visit)).find(({ workspace }) => workspace.id === workspaceId)?.bases ?? [];
  return offered.flatMap(({ id }) => (ticked.has(String(id)) ? [id] : []));
}

const ANSWERS: Readonly<Record<string, Access>> = {
  approve: "read_write",
  approve_suggest: "suggest",
  approve_read_only: "read_only",
};

async function answerConsent(visit: MemberVisit): Promise<Outcome> {
  const query = new URLSearchParams(visit.form.get("request") ?? "");
  const request = await readRequest(visit, query);
  if (!isRequest(request)) return request;
  if (visit.form.get("answer") !== "deny" && !isProvenNow(visit.viewer)) return proveFirst(query);
  const { client, redirectUri, state } = request;
  const chosen = ANSWERS[visit.form.get("answer") ?? ""];
  const workspace = workspaceOf(visit);
  const inWorkspace = { ...visit, viewer: { ...visit.viewer, workspace } };
  const { name, userId } = visit.viewer;
  if (chosen === undefined) {
    await visit.app.database.transaction((tx) =>
      audit(tx, inWorkspace, "deny_program", auditWords.deviceAnswered(name, client.name, undefined)),
    );
    return sendTo(visit, redirectUri, {
      error: "access_denied",
      error_description: "The user denied the request.",
      state,
    });
  }
  const isTooMuch =
    chosen === "read_write" && !(await listWritingWorkspaces(visit.everywhere.database.read, userId)).has(workspace.id);
  const scopes = grantableScopes(request.scopes, isTooMuch ? "read_only" : chosen);
  if (scopes.length === 0) {
    const error = { error: "invalid_scope", error_description: "None of the requested scopes may be granted." };
    return sendTo(visit, redirectUri, { ...error, state });
  }
  const knowledgeBaseIds = await chosenBases(visit, workspace.id);
  if (knowledgeBaseIds?.length === 0)
    return consentTo(visit, request, query, "Tick knowledge bases of the workspace that you chose, or none.");
  const access = accessOf(scopes);
  const code = await visit.app.database.transaction(async (tx) => {
    await holdSession(tx, visit);
    const words = auditWords.deviceAnswered(name, client.name, access);
    await audit(tx, inWorkspace, "approve_program", words);
    await notifySecurityEvent(visit.app, tx, { workspaceId: workspace.id, userId, words });
    return issueCode(tx, request, { userId, workspaceId: workspace.id, scopes, knowledgeBaseIds });
  });
  return sendTo(visit, redirectUri, { code, state });
}

export const authorizePages = [publicGet("/oauth/authorize", showConsent), post("/oauth/authorize", answerConsent)];
