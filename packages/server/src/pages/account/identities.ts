import { connectIdentityPage } from "@svc/web/pages/account/identities";
import type { Identity, IdentityProvider } from "../../ports/identity-provider/identity-provider.ts";
import { AccountError } from "../../resources/accounts/account-error.ts";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { hasTotp } from "../../resources/factors/queries.ts";
import { newTicket, readTicket, spendTicket } from "../../resources/factors/ticket.ts";
import { connectIdentity } from "../../resources/identities/connect-identity.ts";
import { deleteIdentities, listIdentities } from "../../resources/identities/queries.ts";
import { requireWayIn } from "../../resources/identities/way-in.ts";
import { followGroups } from "../sign-in/claimed-groups.ts";
import { isComplaint, orComplaint } from "../sign-in/new-account.ts";
import { isProvenNow } from "../sign-in/proof.ts";
import { withProof } from "../sign-in/prove.ts";
import { providerOf, sendToProvider } from "../sign-in/provider-flow.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show, type Visit } from "../visit.ts";
import { auditChange } from "./audit-change.ts";
import { SECURITY, showSecurity, waysIn } from "./security.ts";

const CONNECT = `${SECURITY}/connect/:provider`;

/** Somebody goes to a provider, and signs in there with the account that is to be connected. */
async function begin(visit: MemberVisit): Promise<Outcome> {
  const provider = providerOf(visit);
  if (!isProvenNow(visit.viewer)) return goTo(`/prove?next=${encodeURIComponent(visit.path)}`);
  return sendToProvider(visit, provider, { next: SECURITY, kind: "connect" });
}

/**
 * Who comes back has not connected anything yet: somebody else could have led them here, with an account of their own at
 * the provider. The page says whose account it is.
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
  if (ticket?.data.issuer !== provider.issuer) return showSecurity(visit, "That took too long. Begin again.");
  const done = await orComplaint(() =>
    app.database.transaction(async (tx) => {
      await connectIdentity(tx, provider, ticket.data, viewer.userId, app.config);
      if (!(await spendTicket(tx, ticket))) throw new AccountError("This was done before. Begin again.");
      await auditChange(tx, visit, "link_identity", auditWords.identityConnected(viewer.name, provider.name), 201);
    }),
  );
  return isComplaint(done) ? showSecurity(visit, done.complaint) : goTo(SECURITY, "identity-connected");
}

/** Nobody stays in a group for what a provider said whom it no longer speaks for. */
async function disconnect(visit: MemberVisit): Promise<Outcome> {
  const { app, form, viewer } = visit;
  const { userId, name } = viewer;
  const issuer = form.get("issuer") ?? "";
  const done = await orComplaint(() =>
    app.database.transaction(async (tx) => {
      if (!(await listIdentities(tx, userId)).some((each) => each.issuer === issuer)) return;
      const provider = app.identityProviders.find((each) => each.issuer === issuer)?.name ?? issuer;
      await followGroups(tx, visit, { id: userId, name }, { provider, identity: { issuer, groups: [] } });
      await tx.lock("user", "", userId);
      await deleteIdentities(tx, userId, issuer);
      await requireWayIn(tx, userId, waysIn(visit));
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
