import { confirmEmailPage } from "@svc/web/server/pages/account/email";
import { messagePage } from "@svc/web/server/pages/message";
import type { Tx } from "../../../db/database.ts";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { changeEmail } from "../../../domain/identity/accounts/change-email.ts";
import { normaliseEmail } from "../../../domain/identity/accounts/email.ts";
import {
  deleteEmailProof,
  findEmailProof,
  mailEmailProof,
  takeEmailProof,
} from "../../../domain/identity/accounts/email-proof.ts";
import { markVerified } from "../../../domain/identity/accounts/queries.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { withProof } from "../sign-in/prove.ts";
import { audit, get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { showAccount } from "./account.ts";
import { auditChange } from "./audit-change.ts";

/**
 * If this server sends email, the new address counts once its link is opened. Otherwise it counts at once, unverified.
 */
async function askForChange(visit: MemberVisit): Promise<Outcome> {
  const { app, form, viewer } = visit;
  const done = await catchComplaint(async () => {
    const email = normaliseEmail(form.get("email") ?? "");
    if (email === viewer.email) throw new AccountError("This is already your email.");
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

/** Sends the verification link for an address that was never verified. */
async function askForProof(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  if (!app.mailer) return goTo("/account");
  const done = await catchComplaint(() =>
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
      text: `The link works once, within a day, unless a newer one was sent, and only for the account that requested it. You are signed in as ${viewer.email}.`,
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
  const done = await catchComplaint(() =>
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
