import { unsubscribePage } from "@svc/web/pages/discussion/unsubscribe";
import { messagePage } from "@svc/web/pages/message";
import { pathIn } from "../../mail/mail-url.ts";
import { findWorkspaces } from "../../resources/accounts/queries.ts";
import { readUnsubscribeToken, unsubscribe } from "../../resources/notifications/unsubscribe.ts";
import { type Outcome, oneClickPost, publicGet, show, type Visit } from "../visit.ts";

const SETTINGS = "/notifications/settings";
const settingsLink = (href: string) => ({ href, label: "Notification settings" });

const deadLink = show(
  messagePage({
    title: "This link does not work",
    text: "It is not whole, or the server's secret has changed since. Sign in to change what mails you get.",
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

/** From our page, or from a mail program by itself (RFC 8058): the link is the proof, and can do nothing else. */
async function endMails(visit: Visit): Promise<Outcome> {
  const wanted = asked(visit);
  if (!wanted) return deadLink;
  await visit.app.database.transaction((tx) => unsubscribe(tx, wanted));
  const link = settingsLink(pathIn(wanted.workspaceId, SETTINGS));
  return show(messagePage({ title: "No more such mails", text: "That is done.", link }));
}

export const unsubscribePages = [
  publicGet("/unsubscribe/:token", showUnsubscribe),
  oneClickPost("/unsubscribe/:token", endMails),
];
