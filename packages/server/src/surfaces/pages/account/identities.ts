import { connectIdentityPage } from "@svc/web/server/pages/account/identities";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { hasTotp } from "../../../domain/identity/factors/queries.ts";
import { newTicket, readTicket, spendTicket } from "../../../domain/identity/factors/ticket.ts";
import { connectIdentity } from "../../../domain/identity/identities/connect-identity.ts";
import { deleteIdentities, listIdentities } from "../../../domain/identity/identities/queries.ts";
import { requireSignInMethod } from "../../../domain/identity/identities/sign-in-methods.ts";
import type { Identity, IdentityProvider } from "../../../ports/identity-provider/identity-provider.ts";
import { followGroups } from "../sign-in/claimed-groups.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { isProvenNow } from "../sign-in/proof.ts";
import { withProof } from "../sign-in/prove.ts";
import { providerOf, sendToProvider } from "../sign-in/provider-flow.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show, type Visit } from "../visit.ts";
import { auditChange } from "./audit-change.ts";
import { SECURITY, showSecurity, waysIn } from "./security.ts";

const CONNECT = `${SECURITY}/connect/:provider`;

/** Sends the person to a provider, to sign in with the account they want to connect. */
async function begin(visit: MemberVisit): Promise<Outcome> {
  const provider = providerOf(visit);
  if (!isProvenNow(visit.viewer)) return goTo(`/prove?next=${encodeURIComponent(visit.path)}`);
  return sendToProvider(visit, provider, { next: SECURITY, kind: "connect" });
}

/**
 * Asks for confirmation after the return from a provider: an attacker could have sent the person here with the
 * attacker's own account. The page names that account.
 */
export async function askToConnect(visit: Visit, provider: IdentityProvider, identity: Identity): Promise<Outcome> {
  const { app, viewer, formToken } = visit;
  if (!viewer) return goTo(`/sign-in?next=${encodeURIComponent(SECURITY)}`);
  const { key, name } = provider;
  return show(
    connectIdentityPage({
      formToken,
      ticket: newTicket(app.secret, "connect", formToken, { ...identity, groups: undefined }),
      key,
      provider: name,
      who: identity.email ?? identity.name ?? identity.subject,
      hasCodes: await hasTotp(app.database.read, viewer.userId),
    }),
  );
}

async function connect(visit: MemberVisit): Promise<Outcome> {
  const provider = providerOf(visit);
  const { app, form, formToken, viewer } = visit;
  const ticket = readTicket<Identity>(app.secret, "connect", formToken, form.get("ticket"));
  if (ticket?.data.issuer !== provider.issuer) return showSecurity(visit, "That took too long. Start again.");
  const done = await catchComplaint(() =>
    app.database.transaction(async (tx) => {
      await connectIdentity(tx, provider, ticket.data, viewer.userId, app.config);
      if (!(await spendTicket(tx, ticket))) throw new AccountError("This was already done. Start again.");
      await auditChange(tx, visit, "link_identity", auditWords.identityConnected(viewer.name, provider.name), 201);
    }),
  );
  return isComplaint(done) ? showSecurity(visit, done.complaint) : goTo(SECURITY, "identity-connected");
}

/** Disconnects an account. The person leaves the groups that only this provider put them in. */
async function disconnect(visit: MemberVisit): Promise<Outcome> {
  const { app, form, viewer } = visit;
  const { userId, name } = viewer;
  const issuer = form.get("issuer") ?? "";
  const done = await catchComplaint(() =>
    app.database.transaction(async (tx) => {
      if (!(await listIdentities(tx, userId)).some((each) => each.issuer === issuer)) return;
      const provider = app.identityProviders.find((each) => each.issuer === issuer)?.name ?? issuer;
      await followGroups(tx, visit, { id: userId, name }, { provider, identity: { issuer, groups: [] } });
      await tx.lock("user", "", userId);
      await deleteIdentities(tx, userId, issuer);
      await requireSignInMethod(tx, userId, waysIn(visit));
      await auditChange(tx, visit, "unlink_identity", auditWords.identityDisconnected(name, provider));
    }),
  );
  return isComplaint(done) ? showSecurity(visit, done.complaint) : goTo(SECURITY, "identity-disconnected");
}

export const identityPages = [
  get(CONNECT, begin),
  withProof(post(CONNECT, connect)),
  withProof(post(`${SECURITY}/disconnect`, disconnect)),
];
