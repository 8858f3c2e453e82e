import { messagePage } from "@svc/web/server/pages/message";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { notFound } from "../../../errors.ts";
import { newSecret } from "../../../ids.ts";
import { IdentityError, type IdentityProvider } from "../../../ports/identity-provider/identity-provider.ts";
import { type Outcome, show, type Visit } from "../visit.ts";
import { type FlowPurpose, flowOf } from "./sign-in-flow.ts";
import { refusedSignIn } from "./sign-in-page.ts";

export function providerOf({ app, params }: Pick<Visit, "app" | "params">): IdentityProvider {
  const provider = app.identityProviders.find(({ key }) => key === params.provider);
  if (!provider) throw notFound("page", params.provider ?? "");
  return provider;
}

/** Sends the browser to the provider. Errors on the way there or back are shown on a page. */
export async function sendToProvider(
  visit: Visit,
  provider: IdentityProvider,
  purpose: Omit<FlowPurpose, "provider">,
): Promise<Outcome> {
  const cookie = newSecret();
  const flow = flowOf(visit.app.secret, cookie, visit.baseUrl, { ...purpose, provider: provider.key });
  try {
    return { status: 303, location: await provider.begin(flow), flow: cookie };
  } catch (error) {
    return refusedByProvider(visit, purpose.next, error);
  }
}

/** Shows an error of ours on the page; handles any other error like every failure. */
export async function refusedByProvider(visit: Visit, next: string, error: unknown): Promise<Outcome> {
  if (error instanceof AccountError) return refused(visit, next, error.message);
  if (!(error instanceof IdentityError)) throw error;
  visit.app.log.warn({ request_id: visit.requestId, err: error.cause ?? error }, "sign-in through a provider failed");
  return refused(visit, next, error.message);
}

/** A signed-in person stays signed in and returns to where they came from. */
const refused = async (visit: Visit, next: string, text: string): Promise<Outcome> =>
  visit.viewer === undefined
    ? refusedSignIn(visit, next, text, 403)
    : show(messagePage({ title: "That did not work", text, link: { href: next, label: "Go back" } }), 403);
