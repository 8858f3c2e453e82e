import { messagePage } from "@svc/web/server/pages/message";
import { setupPage } from "@svc/web/server/pages/sign-in/entry";
import type { Reader, Tx } from "../../../db/database.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { createUser, normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import { countUsers } from "../../../domain/identity/accounts/queries.ts";
import { browserMark, rememberAddress } from "../../../domain/identity/sessions/known-addresses.ts";
import { startSession } from "../../../domain/identity/sessions/start-session.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import {
  auditAs,
  goTo,
  HOME,
  NEW_ACCOUNT_BYTES,
  type Outcome,
  publicGet,
  publicPost,
  show,
  type Visit,
} from "../visit.ts";
import { sessionPlaceOf } from "./begin-session.ts";
import { catchComplaint, isComplaint, type NewAccount, readNewAccount } from "./new-account.ts";

/** The key that stores the hash of the printed setup link. */
const SETUP_KEY = "setup_token_hash";

const deadLink = show(
  messagePage({
    title: "This link is over",
    text: "A set-up link works once, and only while nobody has an account. If that is still so, restart the server: it prints a new one.",
    link: { href: "/sign-in", label: "Sign in" },
  }),
  410,
);

async function isOpen(db: Reader, token: string): Promise<boolean> {
  const row = await db.selectFrom("server_state").select("value").where("key", "=", SETUP_KEY).executeTakeFirst();
  return row?.value === hashSecret(token) && (await countUsers(db)) === 0;
}

async function showSetup(visit: Visit): Promise<Outcome> {
  const token = visit.params.token ?? "";
  if (!(await isOpen(visit.app.database.read, token))) return deadLink;
  return show(setupPage({ formToken: visit.formToken, token }));
}

interface FirstAccount extends NewAccount {
  readonly workspaceName: string | undefined;
}

/** If left empty, the workspace is named after its owner. */
function readWorkspaceName(form: URLSearchParams): string | undefined {
  const name = form.get("workspace")?.trim();
  return name ? normaliseName(name) : undefined;
}

/** Consumes the link first: of two people at once, one gets the account and the other a dead link. */
async function createFirst(tx: Tx, token: string, account: FirstAccount, visit: Visit) {
  const taken = await tx
    .deleteFrom("server_state")
    .where("key", "=", SETUP_KEY)
    .where("value", "=", hashSecret(token))
    .returning("key")
    .executeTakeFirst();
  if (!taken || (await countUsers(tx)) > 0) return undefined;
  const user = await createUser(tx, account);
  const who = { workspaceId: user.workspaceId, userId: user.userId };
  const words = auditWords.workspaceMade(user.name, user.workspaceName);
  await auditAs(tx, visit, who, "create_workspace", words, 201);
  await rememberAddress(tx, user.userId, visit.address, Date.now());
  const person = { id: user.userId, name: user.name };
  const { secret } = await startSession(tx, person, sessionPlaceOf(visit), user.workspaceId);
  return { session: secret, browserMark: browserMark(visit.app.secret, user.userId) };
}

async function setUp(visit: Visit): Promise<Outcome> {
  const token = visit.params.token ?? "";
  const { database } = visit.app;
  if (!(await isOpen(database.read, token))) return deadLink;
  const account = await catchComplaint(async () => ({
    ...(await readNewAccount(visit.form)),
    workspaceName: readWorkspaceName(visit.form),
  }));
  if (isComplaint(account)) {
    const [name = "", email = "", workspace = ""] = ["name", "email", "workspace"].map(
      (key) => visit.form.get(key) ?? "",
    );
    const typed = { name, email, workspace };
    return show(setupPage({ formToken: visit.formToken, token, ...typed, wrong: account.complaint }), 422);
  }
  const begun = await database.transaction((tx) => createFirst(tx, token, account, visit));
  return begun ? { ...goTo(HOME, "welcome"), ...begun } : deadLink;
}

export const setupPages = [
  publicGet("/setup/:token", showSetup),
  publicPost("/setup/:token", setUp, NEW_ACCOUNT_BYTES),
];
