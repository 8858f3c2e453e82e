import type { Config } from "../config.ts";
import { AccountError } from "../domain/identity/accounts/account-error.ts";
import { auditWords, OPERATOR } from "../domain/identity/accounts/audit-words.ts";

import { createUser } from "../domain/identity/accounts/create-user.ts";
import { normaliseEmail } from "../domain/identity/accounts/email.ts";
import { hashPassword } from "../domain/identity/accounts/password.ts";
import { countUsers } from "../domain/identity/accounts/queries.ts";
import { recordAudit } from "../http/audit.ts";
import { newId } from "../ids.ts";
import { InvalidSetting } from "../ports/invalid-setting.ts";
import type { Services } from "../services.ts";
import { checkNewPassword } from "../surfaces/pages/sign-in/new-account.ts";

interface FirstAccount {
  readonly email: string;
  readonly password: string;
}

/** The first account that the settings ask for. Throws InvalidSetting, so that the start ends before it serves. */
export function firstAccountOf({ adminEmail, adminPassword }: Config): FirstAccount | undefined {
  if (adminEmail === undefined && adminPassword === undefined) return undefined;
  if (adminEmail === undefined) throw new InvalidSetting("SVC_ADMIN_EMAIL", "is needed when SVC_ADMIN_PASSWORD is set");
  if (adminPassword === undefined)
    throw new InvalidSetting("SVC_ADMIN_PASSWORD_FILE", "is needed when SVC_ADMIN_EMAIL is set");
  check("SVC_ADMIN_PASSWORD", () => checkNewPassword(adminPassword));
  return { email: check("SVC_ADMIN_EMAIL", () => normaliseEmail(adminEmail)), password: adminPassword };
}

function check<T>(setting: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof AccountError ? new InvalidSetting(setting, error.message.replace(/\.$/, "")) : error;
  }
}

/** When several processes start at once, one makes the account. */
export async function makeFirstAccount(
  { database, log }: Pick<Services, "database" | "log">,
  { email, password }: FirstAccount,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  const isMade = await database
    .transaction(async (tx) => {
      if ((await countUsers(tx)) > 0) return false;
      const made = await createUser(tx, { email, name: email.split("@")[0] ?? email, passwordHash });
      await recordAudit(
        tx,
        { workspaceId: made.workspaceId, userId: made.userId, tokenId: null },
        { id: newId("req"), path: "start", client: { name: "svc", version: null, agent: false } },
        { action: "create_user", status: 201, summary: auditWords.accountMade(OPERATOR, made.name, made.role) },
      );
      return true;
    })
    .catch(async (error) => {
      // Another process has made it meanwhile.
      if ((await countUsers(database.read)) > 0) return false;
      throw error;
    });
  if (isMade) log.info({ email }, "first account made");
}
