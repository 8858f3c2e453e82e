import { forgottenPage, resetAskedPage } from "@svc/web/server/pages/sign-in/forgotten";
import { isEmail, plainEmail } from "../../../domain/identity/accounts/email.ts";
import { askForReset } from "../../../domain/identity/accounts/forgotten-password.ts";
import { addressSubjects, admit } from "../../../domain/identity/attempts/slow-down.ts";
import { goTo, type Outcome, publicGet, publicPost, show, type Visit } from "../visit.ts";
import { tooManyTries } from "./too-many-tries.ts";

const formOf = ({ app, formToken }: Visit) => ({ formToken, canMail: app.mailer !== undefined });

/** Without password sign-in there is no password to forget. */
const hasPasswords = ({ app }: Visit): boolean => app.config.passwordSignIn === "on";

async function showForgotten(visit: Visit): Promise<Outcome> {
  return hasPasswords(visit) ? show(forgottenPage(formOf(visit))) : goTo("/sign-in");
}

/** Answers the same whether or not the account exists. */
async function ask(visit: Visit): Promise<Outcome> {
  const { app, form, address } = visit;
  if (!hasPasswords(visit)) return goTo("/sign-in");
  if (!app.mailer) return show(forgottenPage(formOf(visit)), 422);
  const email = plainEmail(form.get("email") ?? "");
  if (!isEmail(email)) return show(forgottenPage({ ...formOf(visit), email, wrong: "Enter an email address." }), 422);
  const wait = await admit(app.database, addressSubjects(address), Date.now());
  if (wait > 0) {
    const { wrong, headers } = tooManyTries(wait);
    return { ...show(forgottenPage({ ...formOf(visit), email, wrong }), 429), headers };
  }
  await askForReset(app, email);
  return show(resetAskedPage(email));
}

export const forgottenPages = [publicGet("/forgotten", showForgotten), publicPost("/forgotten", ask)];
