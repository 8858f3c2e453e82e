import { text } from "node:stream/consumers";
import type { Role } from "@svc/server/db/schema/tables/accounts";
import { AccountError } from "@svc/server/resources/accounts/account-error";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { hashPassword } from "@svc/server/resources/accounts/password";
import { listUsers } from "@svc/server/resources/accounts/queries";
import { type Command, Option } from "commander";
import { JSON_FLAG, type OutputOptions, print, shownTime, table } from "../output.ts";
import { auditCommand, withStore } from "./store.ts";

export const roleOption = () =>
  new Option("--role <role>", "what the user may do there").choices(["owner", "editor", "viewer"]);

interface CreateOptions extends OutputOptions {
  readonly email: string;
  readonly name: string;
  readonly password?: string;
  readonly workspace?: string;
  readonly role?: Role;
}

async function passwordFrom(options: CreateOptions): Promise<string> {
  const password = options.password ?? (process.stdin.isTTY ? "" : (await text(process.stdin)).replace(/\r?\n$/, ""));
  if (password === "") throw new AccountError("Give a password with --password, or on standard input.");
  return password;
}

async function create(options: CreateOptions): Promise<void> {
  const passwordHash = await hashPassword(await passwordFrom(options));
  const user = await withStore((database) =>
    database.transaction(async (tx) => {
      const made = await createUser(tx, { ...options, passwordHash });
      await auditCommand(tx, made.workspaceId, made.userId, "create_user");
      return made;
    }),
  );
  print(
    options,
    {
      user_id: user.userId,
      email: user.email,
      name: user.name,
      workspace_id: user.workspaceId,
      workspace_name: user.workspaceName,
      role: user.role,
    },
    [`${user.email} (${user.userId}) is ${user.role} of ${user.workspaceName} (${user.workspaceId}).`],
  );
}

async function list(options: OutputOptions): Promise<void> {
  const rows = await withStore((database) => listUsers(database.read));
  print(
    options,
    { users: rows },
    table(
      ["ID", "EMAIL", "NAME", "WORKSPACE", "ROLE", "CREATED"],
      rows.flatMap((user) =>
        user.workspaces.map((w) => [
          user.id,
          user.email,
          user.name,
          `${w.name} (${w.id})`,
          w.role,
          shownTime(user.created_at),
        ]),
      ),
    ),
  );
}

export function define(users: Command): void {
  users
    .command("create")
    .description("create a user, with a workspace of their own unless --workspace names one")
    .requiredOption("--email <email>", "sign-in name")
    .requiredOption("--name <name>", "shown name")
    .option("--password <password>", "without it, the password is read from standard input")
    .option("--workspace <id or name>", "join this workspace")
    .addOption(roleOption())
    .option(...JSON_FLAG)
    .action(create);
  users
    .command("list")
    .description("all users and their workspaces")
    .option(...JSON_FLAG)
    .action(list);
}
