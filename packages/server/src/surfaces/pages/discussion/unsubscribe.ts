import { unsubscribePage } from "@svc/web/server/pages/discussion/unsubscribe";
import { messagePage } from "@svc/web/server/pages/message";
import { readUnsubscribeToken, unsubscribe } from "../../../domain/discussion/notifications/unsubscribe.ts";
import { findWorkspaces } from "../../../domain/identity/accounts/queries.ts";
import { pathIn } from "../../../mail/mail-url.ts";
import { type Outcome, oneClickPost, publicGet, show, type Visit } from "../visit.ts";

const SETTINGS = "/notifications/settings";
const settingsLink = (href: string) => ({ href, label: "Notification settings" });

const deadLink = show(
  messagePage({
    title: "This link does not work",
    text: "The link is incomplete, or the server's secret has changed. Sign in to change your email settings.",
    link: settingsLink(SETTINGS),
  }),
  404,
);

const asked = ({ app, params }: Visit) => readUnsubscribeToken(app.secret, params.token ?? "");

async function showUnsubscribe(visit: Visit): Promise<Outcome> {
  const wanted = asked(visit);
  if (!wanted) return deadLink;
  const [workspace] = await findWorkspaces(visit.app.database.read, wanted.workspaceId);
  const { kind } = wanted;
  return show(unsubscribePage({ token: visit.params.token ?? "", kind, workspaceName: workspace?.name }));
}

/**
 * Ends mails, from our page or directly from a mail program (RFC 8058): the link is the proof and allows nothing else.
 */
async function endMails(visit: Visit): Promise<Outcome> {
  const wanted = asked(visit);
  if (!wanted) return deadLink;
  await visit.app.database.transaction((tx) => unsubscribe(tx, wanted));
  const link = settingsLink(pathIn(wanted.workspaceId, SETTINGS));
  return show(messagePage({ title: "Unsubscribed", text: "You will not receive these emails any more.", link }));
}

export const unsubscribePages = [
  publicGet("/unsubscribe/:token", showUnsubscribe),
  oneClickPost("/unsubscribe/:token", endMails),
];
