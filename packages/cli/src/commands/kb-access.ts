import { type Command, InvalidArgumentError, Option } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { connect } from "../connect.ts";
import { collect, KNOWLEDGE_BASE, type ServerOptions, withServer } from "../options.ts";
import { print, table } from "../output.ts";

const roles = ["none", "viewer", "commenter", "editor", "owner"] as const;
type Role = (typeof roles)[number];
const isRole = (text: string | undefined): text is Role => roles.some((role) => role === text);

interface AccessOptions extends ServerOptions {
  readonly default?: Role | "workspace";
  readonly set?: readonly (readonly [id: string, role: Role])[];
  readonly unset?: readonly string[];
}

/** `user_…=editor` or `grp_…=viewer`, any number of times. */
function roleOf(text: string, before: readonly (readonly [string, Role])[] = []) {
  const [id, role] = text.split("=");
  if (!id || !/^(user|grp)_/.test(id) || !isRole(role))
    throw new InvalidArgumentError(`Give user_…=role or grp_…=role; the roles are ${roles.join(", ")}.`);
  return [...before, [id, role] as const];
}

/** Shows who may do what, or changes it: what is not named stays. */
async function access(kb: string, options: AccessOptions): Promise<void> {
  const client = connect(options);
  const { id, name } = await findKnowledgeBase(client, kb);
  const path = { id };
  const before = await client.get("/knowledge-bases/{id}/access", { path });
  const given = new Map<string, Role>([
    ...before.data.members.map(({ user_id, role }) => [user_id, role] as const),
    ...before.data.groups.map(({ group_id, role }) => [group_id, role] as const),
    ...(options.set ?? []),
  ]);
  for (const subject of options.unset ?? []) given.delete(subject);
  const of = (prefix: string) => [...given].filter(([subject]) => subject.startsWith(prefix));
  const wanted = {
    default_role: defaultFrom(options.default, before.data.default_role),
    members: of("user_").map(([user_id, role]) => ({ user_id, role })),
    groups: of("grp_").map(([group_id, role]) => ({ group_id, role })),
  };
  const changes = options.default !== undefined || options.set !== undefined || options.unset !== undefined;
  const { data } = changes
    ? await client.put("/knowledge-bases/{id}/access", { path, body: wanted, ifMatch: "*" })
    : before;
  print(options, data, [
    `${name} (kb:${id}): by default ${data.default_role ?? "the role in the workspace"}.`,
    ...table(
      ["WHO", "ROLE"],
      [
        ...data.members.map(({ user_id, role }) => [user_id, role]),
        ...data.groups.map(({ group_id, role }) => [group_id, role]),
      ],
    ),
  ]);
}

const defaultFrom = (wanted: AccessOptions["default"], before: Role | null): Role | null =>
  wanted === undefined ? before : wanted === "workspace" ? null : wanted;

export function defineAccess(kb: Command): void {
  withServer(kb.command("access"))
    .description("who may do what in it; with options, change that")
    .argument(...KNOWLEDGE_BASE)
    .addOption(
      new Option("--default <role>", "of whoever has no other one; workspace: their role there").choices([
        ...roles,
        "workspace",
      ]),
    )
    .option("--set <id=role>", "give a member or a group a role; may be repeated", roleOf)
    .option("--unset <id>", "take the role back; may be repeated", collect)
    .action(access);
}
