import { randomBytes } from "node:crypto";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { createTokenFor } from "@svc/server/domain/identity/tokens/create-token-for";

const EMAIL = "ada@example.com";
const TOKEN_MS = 3_600_000;

interface Person {
  readonly email: string;
  readonly password: string;
  /** Good for an hour, for filling the workspace. */
  readonly token: string;
}

/** Makes the first account of the demo's store, beside its server. */
export async function makePerson(settings: Readonly<Record<string, string>>): Promise<Person> {
  const password = randomBytes(9).toString("base64url");
  const passwordHash = await hashPassword(password);
  const database = await connect(readConfig(settings), { warn: () => undefined });
  try {
    const { token } = await database.transaction(async (tx) => {
      await createUser(tx, { email: EMAIL, name: "Ada Lovelace", passwordHash, workspaceName: "Analytical Engines" });
      const expiresAt = Date.now() + TOKEN_MS;
      return createTokenFor(tx, { email: EMAIL, access: "read_write", name: "svc demo", expiresAt });
    });
    return { email: EMAIL, password, token };
  } finally {
    await database.close();
  }
}
