import assert from "node:assert/strict";
import { codeAt, fromBase32, stepAt } from "@svc/server/domain/identity/factors/totp";
import type { Visitor } from "./visitor.ts";

const SECURITY = "/account/security";

/** The code that the person's app shows, by default now; valid for at least half a minute more. */
export const codeOf = (secret: string, step = stepAt(Date.now())) => codeAt(fromBase32(secret), step);

/** From now on a sign-in asks for a code of an app: its secret, and the page with the codes for the day it is lost. */
export async function switchOnCodes(browser: Visitor) {
  await browser.submit(SECURITY, `${SECURITY}/totp`, {});
  const page = await (await browser.fetch(`${SECURITY}/totp`)).text();
  const secret = /id="key"[^>]*>([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(" ", "") ?? "";
  const confirmed = await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code: codeOf(secret) });
  assert.equal(confirmed.status, 201);
  return { secret, text: await confirmed.text() };
}
