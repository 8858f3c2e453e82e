import { signInPage } from "@svc/web/pages/sign-in/entry";
import { goTo, localPath, type Outcome, show, type Visit } from "../visit.ts";
import { offerPasskey } from "./passkey-form.ts";

const reasonFor = (next: string): { reason?: string } =>
  next.startsWith("/device")
    ? { reason: "Sign in to connect your device." }
    : next.startsWith("/oauth/authorize")
      ? { reason: "Sign in to connect a program." }
      : {};

interface Shown {
  readonly email?: string;
  readonly wrong?: string;
  readonly reason?: string;
}

/** The sign-in page with every way in that there is. */
export async function showSignInPage(visit: Visit, next: string, shown: Shown = {}, status = 200): Promise<Outcome> {
  const { app, formToken } = visit;
  return show(
    signInPage({
      formToken,
      next,
      hasPassword: app.config.passwordSignIn === "on",
      providers: app.identityProviders.map(({ key, name }) => ({ key, name })),
      passkey: offerPasskey(visit),
      ...reasonFor(next),
      ...shown,
    }),
    status,
  );
}

/** Where somebody goes who has signed in: an address of the form, or of a page. */
export const wayOn = ({ query, form }: Visit): string => localPath(form.get("next") ?? query.get("next"));

/** Of several tabs that ask to sign in, the others lead on once it is done in one. */
export const ifIn = (visit: Visit): Outcome | undefined => visit.viewer && goTo(wayOn(visit));

/** The sign-in page again, with what was wrong. */
export const refusedSignIn = (visit: Visit, next: string, wrong: string, status: number): Promise<Outcome> =>
  showSignInPage(visit, next, { wrong }, status);

/** For who has proven that the account is theirs. */
export const DISABLED = "This account is disabled. Ask whoever runs this server.";
