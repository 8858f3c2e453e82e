import { confirmEmailPage } from "@svc/web/pages/account/email";
import { messagePage } from "@svc/web/pages/message";
import type { Tx } from "../../db/database.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import { AccountError } from "../../resources/accounts/account-error.ts";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { changeEmail } from "../../resources/accounts/change-email.ts";
import { normaliseEmail } from "../../resources/accounts/email.ts";
import {
  deleteEmailProof,
  findEmailProof,
  mailEmailProof,
  takeEmailProof,
} from "../../resources/accounts/email-proof.ts";
import { markVerified } from "../../resources/accounts/queries.ts";
import { isComplaint, orComplaint } from "../sign-in/new-account.ts";
import { withProof } from "../sign-in/prove.ts";
import { audit, get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { showAccount } from "./account.ts";
import { auditChange } from "./audit-change.ts";

/** Where mails are sent, the new address counts once its link was opened; else at once, as one that was only typed. */
async function askForChange(visit: MemberVisit): Promise<Outcome> {
  const { app, form, viewer } = visit;
  const done = await orComplaint(async () => {
    const email = normaliseEmail(form.get("email") ?? "");
    if (email === viewer.email) throw new AccountError("This is your email already.");
    return app.database.transaction(async (tx) => {
      if (app.mailer) await mailEmailProof(app, tx, viewer.userId, email);
      else await change(visit, tx, email, null);
    });
  });
  if (isComplaint(done)) return showAccount(visit, { wrongEmail: done.complaint }, 422);
  return goTo("/account", app.mailer ? "email-asked" : "email");
}

async function change(visit: MemberVisit, tx: Tx, email: string, verifiedAt: number | null): Promise<void> {
  const { userId, name, email: before } = visit.viewer;
  await changeEmail(tx, userId, email, verifiedAt);
  await auditChange(tx, visit, "change_email", auditWords.emailChanged(name, before, email));
}

/** For an address that was typed and never proven. */
async function askForProof(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  if (!app.mailer) return goTo("/account");
  const done = await orComplaint(() =>
    app.database.transaction((tx) => mailEmailProof(app, tx, viewer.userId, viewer.email)),
  );
  if (isComplaint(done)) return showAccount(visit, { wrongEmail: done.complaint }, 429);
  return goTo("/account", "email-asked");
}

async function withdraw({ app, viewer }: MemberVisit): Promise<Outcome> {
  await app.database.transaction((tx) => deleteEmailProof(tx, viewer.userId));
  return goTo("/account", "email-kept");
}

const deadLink = ({ viewer }: MemberVisit): Outcome =>
  show(
    messagePage({
      title: "This link is over",
      text: `It works once, for a day, until there is a newer one, and only for the account that asked for it. You are signed in as ${viewer.email}.`,
      link: { href: "/account", label: "Go to your account" },
    }),
    410,
  );

async function showConfirm(visit: MemberVisit): Promise<Outcome> {
  const token = visit.params.token ?? "";
  const { email: before, userId } = visit.viewer;
  const open = await findEmailProof(visit.app.database.read, userId, Date.now());
  if (open?.token_hash !== hashSecret(token)) return deadLink(visit);
  const { formToken } = visit;
  return show(confirmEmailPage({ formToken, token, email: open.email, before }));
}

async function confirm(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  const now = Date.now();
  const done = await orComplaint(() =>
    app.database.transaction(async (tx) => {
      const taken = await takeEmailProof(tx, viewer.userId, visit.params.token ?? "", now);
      if (taken && taken.email !== viewer.email) await change(visit, tx, taken.email, now);
      else if (taken) {
        await markVerified(tx, viewer.userId, now);
        await audit(tx, visit, "verify_email", auditWords.emailVerified(viewer.name, taken.email));
      }
      return taken;
    }),
  );
  if (isComplaint(done)) return showAccount(visit, { wrongEmail: done.complaint }, 422);
  if (!done) return deadLink(visit);
  return goTo("/account", done.email === viewer.email ? "email-verified" : "email");
}

export const emailPages = [
  withProof(post("/account/email", askForChange)),
  post("/account/email/verify", askForProof),
  post("/account/email/withdraw", withdraw),
  get("/account/email/:token", showConfirm),
  post("/account/email/:token", confirm),
];
