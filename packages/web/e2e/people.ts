import { randomBytes } from "node:crypto";
import type { Role } from "@svc/server/db/schema/tables/accounts";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { startSession } from "@svc/server/domain/identity/sessions/start-session";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import type { BrowserContextOptions, Page } from "playwright-core";
import { Client } from "../../server/test/support/client.ts";
import type { Stage } from "./browser.ts";

export const PASSWORD = "three unrelated words";

export interface Account {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly workspaceId: string;
}

export async function makeAccount(
  stage: Stage,
  options: { name?: string; workspace?: string; role?: Role } = {},
): Promise<Account> {
  const passwordHash = await hashPassword(PASSWORD);
  return stage.world.app.services.database.transaction((tx) =>
    createUser(tx, {
      email: `${randomBytes(5).toString("hex")}@example.com`,
      name: options.name ?? "Ada Lovelace",
      passwordHash,
      workspace: options.workspace,
      role: options.role,
    }),
  );
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** A new account, signed in at a browser of its own. */
export async function signedIn(
  stage: Stage,
  options: Parameters<typeof makeAccount>[1] & { browser?: BrowserContextOptions } = {},
): Promise<{ page: Page; account: Account }> {
  const account = await makeAccount(stage, options);
  return { page: await signedInAs(stage, account, options.browser), account };
}

/** A program of the account, for filling the store. */
export async function programOf(stage: Stage, account: Account): Promise<Client> {
  const { token } = await stage.world.app.services.database.transaction((tx) =>
    createToken(tx, {
      userId: account.userId,
      workspaceId: account.workspaceId,
      name: "filler",
      access: "read_write",
    }),
  );
  return new Client(stage.world.url, token);
}

/** The session as sign-in would make it, without the way there. */
export async function signedInAs(stage: Stage, account: Account, browser: BrowserContextOptions = {}): Promise<Page> {
  const page = await stage.visitor(browser);
  const { secret: value } = await stage.world.app.services.database.transaction((tx) =>
    startSession(
      tx,
      { id: account.userId, name: account.name },
      { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0", address: "127.0.0.1", maxDays: 1 },
    ),
  );
  const url = browser.baseURL ?? stage.world.url;
  await page.context().addCookies([{ name: "svc_session", value, url, httpOnly: true, sameSite: "Lax" }]);
  await page.goto("/");
  return page;
}
