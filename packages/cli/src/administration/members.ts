import type { Role } from "@svc/server/db/schema/tables/accounts";
import { notifyMemberAddedByOperator } from "@svc/server/domain/discussion/notifications/notify-access";
import { auditWords, OPERATOR } from "@svc/server/domain/identity/accounts/audit-words";
import { addMember } from "@svc/server/domain/identity/members/add-member";
import type { Command } from "commander";
import { JSON_FLAG, type OutputOptions, print } from "../output.ts";
import { auditCommand, tellingOf, withStore } from "./store.ts";
import { roleOption } from "./users.ts";

interface AddOptions extends OutputOptions {
  readonly email: string;
  readonly workspace: string;
  readonly role?: Role;
}

async function add(options: AddOptions): Promise<void> {
  const member = await withStore((database, config) =>
    database.transaction(async (tx) => {
      const added = await addMember(tx, options.email, options.workspace, options.role ?? "editor");
      const words = auditWords.roleChanged(OPERATOR, added.userName, added.role);
      await auditCommand(tx, added.workspaceId, added.userId, "add_member", words);
      if (added.isNew) await notifyMemberAddedByOperator(tellingOf(config), tx, added.workspaceId, added.userId);
      return added;
    }),
  );
  print(
    options,
    {
      user_id: member.userId,
      workspace_id: member.workspaceId,
      workspace_name: member.workspaceName,
      role: member.role,
    },
    [`${options.email} is ${member.role} of ${member.workspaceName} (${member.workspaceId}).`],
  );
}

export function define(members: Command): void {
  members
    .command("add")
    .description("let an existing user into a workspace, or give a member another role")
    .requiredOption("--email <email>", "of the user")
    .requiredOption("--workspace <id or name>", "to join")
    .addOption(roleOption())
    .option(...JSON_FLAG)
    .action(add);
}
