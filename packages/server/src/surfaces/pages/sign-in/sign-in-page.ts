import { signInPage } from "@svc/web/server/pages/sign-in/entry";
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

/** Shows the sign-in page with every available method. */
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

/** The page to open after the sign-in, from the form or the query. */
export const nextUrl = ({ query, form }: Visit): string => localPath(form.get("next") ?? query.get("next"));

/** Redirects if another tab has already signed in. */
export const ifSignedIn = (visit: Visit): Outcome | undefined => visit.viewer && goTo(nextUrl(visit));

/** Shows the sign-in page again with the error. */
export const refusedSignIn = (visit: Visit, next: string, wrong: string, status: number): Promise<Outcome> =>
  showSignInPage(visit, next, { wrong }, status);

/** Shown only after the person has proven that the account is theirs. */
export const DISABLED = "This account is disabled. Ask the administrator of this server.";
