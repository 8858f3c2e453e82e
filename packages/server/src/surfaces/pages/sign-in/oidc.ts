import { takeOverPage } from "@svc/web/server/pages/sign-in/take-over";
import type { Tx } from "../../../db/database.ts";
import { notifyAccountChange } from "../../../domain/discussion/notifications/notify-account-change.ts";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { listMemberships } from "../../../domain/identity/accounts/queries.ts";
import { newTicket, readTicket, spendTicket, type Ticket } from "../../../domain/identity/factors/ticket.ts";
import {
  accountOfIdentity,
  type FoundAccount,
  UnprovenAccount,
} from "../../../domain/identity/identities/account-of-identity.ts";
import { findUserOfIdentity } from "../../../domain/identity/identities/queries.ts";
import type { Identity, IdentityProvider } from "../../../ports/identity-provider/identity-provider.ts";
import { askToConnect } from "../account/identities.ts";
import {
  auditAs,
  get,
  goTo,
  localPath,
  type MemberVisit,
  type Outcome,
  publicGet,
  publicPost,
  show,
  type Visit,
} from "../visit.ts";
import { enter } from "./begin-session.ts";
import { followGroups } from "./claimed-groups.ts";
import { noteProof } from "./proof.ts";
import { providerOf, refusedByProvider, sendToProvider } from "./provider-flow.ts";
import { type FlowPurpose, flowOf, purposeOf } from "./sign-in-flow.ts";
import { DISABLED, ifSignedIn, refusedSignIn } from "./sign-in-page.ts";

async function begin(visit: Visit): Promise<Outcome> {
  const provider = providerOf(visit);
  const next = localPath(visit.query.get("next"));
  if (visit.viewer) return goTo(next);
  return sendToProvider(visit, provider, { next, kind: "sign-in" });
}

const ANOTHER_BROWSER = "This sign-in was started in another browser or window, or it took too long. Start again.";

async function finish(visit: Visit): Promise<Outcome> {
  const provider = providerOf(visit);
  const { app, flow, query } = visit;
  const purpose = purposeOf(app.secret, flow, provider.key, query.get("state"));
  if (!purpose) return { ...(await refusedSignIn(visit, "/", ANOTHER_BROWSER, 400)), flow: null };
  try {
    const identity = await provider.finish(flowOf(app.secret, flow ?? "", visit.baseUrl, purpose), query);
    return { ...(await goOnAfter[purpose.kind](visit, provider, identity, purpose)), flow: null };
  } catch (error) {
    return { ...(await refusedByProvider(visit, purpose.next, error)), flow: null };
  }
}

async function signInAs(
  visit: Visit,
  provider: IdentityProvider,
  identity: Identity,
  { next }: Pick<FlowPurpose, "next">,
  ticket?: Ticket<TakeOver>,
): Promise<Outcome> {
  const { database, config } = visit.app;
  const { user } = await database.transaction(async (tx) => {
    if (ticket && !(await spendTicket(tx, ticket))) throw new AccountError(TOO_LATE);
    const found = await accountOfIdentity(tx, provider, identity, config, ticket !== undefined);
    if (found.user.disabled_at !== null) return found;
    await auditArrival(tx, visit, provider, found);
    await followGroups(tx, visit, found.user, { provider: provider.name, identity });
    return found;
  });
  if (user.disabled_at !== null) return refusedSignIn(visit, next, DISABLED, 403);
  return enter(visit, { id: user.id, name: user.name }, goTo(next), `through ${provider.name}`);
}

async function signInOrAsk(
  visit: Visit,
  provider: IdentityProvider,
  identity: Identity,
  purpose: FlowPurpose,
): Promise<Outcome> {
  try {
    return await signInAs(visit, provider, identity, purpose);
  } catch (error) {
    if (!(error instanceof UnprovenAccount)) throw error;
    return askToTakeOver(visit, provider, identity, purpose.next);
  }
}

/** A provider identity that matches an account whose address is not verified. */
interface TakeOver {
  readonly identity: Identity;
  readonly next: string;
}

const TOO_LATE = "That took too long, or was done in another window. Sign in again.";

/**
 * Asks to take over the account. The person may have made it themselves, and keeps all of it by verifying the address
 * first.
 */
function askToTakeOver(visit: Visit, { key, name }: IdentityProvider, identity: Identity, next: string): Outcome {
  const { app, formToken } = visit;
  const takeOver: TakeOver = { identity, next };
  const ticket = newTicket(app.secret, "take-over", formToken, takeOver);
  const canMail = app.mailer !== undefined;
  return show(
    takeOverPage({ formToken, ticket, key, provider: name, email: identity.email ?? "", next, canMail }),
    409,
  );
}

/** The size of a form with everything that the provider sent, including long lists of groups. */
const TAKE_OVER_BYTES = 64 * 1024;

async function takeOver(visit: Visit): Promise<Outcome> {
  const provider = providerOf(visit);
  const { app, form, formToken } = visit;
  const ticket = readTicket<TakeOver>(app.secret, "take-over", formToken, form.get("ticket"));
  if (ticket?.data.identity.issuer !== provider.issuer) return refusedSignIn(visit, "/", TOO_LATE, 403);
  const { identity, next } = ticket.data;
  try {
    return await signInAs(visit, provider, identity, { next }, ticket);
  } catch (error) {
    return refusedByProvider(visit, next, error);
  }
}

/** Sends a signed-in person to their provider to sign in there again. */
async function beginProof(visit: MemberVisit): Promise<Outcome> {
  const provider = providerOf(visit);
  const next = localPath(visit.query.get("next"));
  return sendToProvider(visit, provider, { next, kind: "prove" });
}

async function provenBy(
  visit: Visit,
  provider: IdentityProvider,
  { issuer, subject }: Identity,
  { next }: FlowPurpose,
): Promise<Outcome> {
  const { viewer } = visit;
  if (!viewer) return goTo(`/sign-in?next=${encodeURIComponent(next)}`);
  const user = await findUserOfIdentity(visit.app.database.read, issuer, subject);
  if (user?.id !== viewer.userId) throw new AccountError(`${provider.name} knows you as someone else.`);
  await noteProof({ ...visit, viewer }, { provider: provider.name });
  return goTo(next);
}

const goOnAfter = { "sign-in": signInOrAsk, prove: provenBy, connect: askToConnect } as const;

async function auditArrival(tx: Tx, visit: Visit, provider: IdentityProvider, found: FoundAccount): Promise<void> {
  if (found.how === "known") return;
  const { user, how } = found;
  const [action, words] = ARRIVALS[how];
  const summary = words(user.name, provider.name);
  for (const { id } of await listMemberships(tx, user.id))
    await auditAs(tx, visit, { workspaceId: id, userId: user.id }, action, summary, 201);
  if (how !== "made")
    await notifyAccountChange(visit.app, tx, { userId: user.id, name: user.name, email: user.email, words: summary });
}

const ARRIVALS = {
  made: ["create_user", auditWords.accountBrought],
  linked: ["link_identity", auditWords.identityLinked],
  "taken over": ["take_over_account", auditWords.accountTakenOver],
} as const;

export const oidcPages = [
  publicGet("/sign-in/oidc/:provider", begin),
  publicGet("/sign-in/oidc/:provider/callback", finish),
  { ...publicPost("/sign-in/oidc/:provider/take-over", takeOver, TAKE_OVER_BYTES), ifDone: ifSignedIn },
  get("/prove/oidc/:provider", beginProof),
];
