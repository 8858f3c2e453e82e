import type { Tx } from "../../../db/database.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { followClaimedGroups } from "../../../domain/identity/identities/follow-claimed-groups.ts";
import type { Identity } from "../../../ports/identity-provider/identity-provider.ts";
import { auditAs, type Visit } from "../visit.ts";

interface Claim {
  /** The provider's name. */
  readonly provider: string;
  readonly identity: Pick<Identity, "issuer" | "groups">;
}

/**
 * Adds a person to the groups that a provider names and removes them from those it no longer names, with an audit entry
 * each.
 */
export async function followGroups(
  tx: Tx,
  visit: Visit,
  { id, name }: { readonly id: string; readonly name: string },
  { provider, identity }: Claim,
): Promise<void> {
  for (const change of await followClaimedGroups(tx, id, identity, visit.app.config)) {
    const words = auditWords.groupClaimed(provider, name, change.name, change.isIn);
    const who = { workspaceId: change.workspaceId, userId: id };
    await auditAs(tx, visit, who, change.isIn ? "join_group" : "leave_group", words);
  }
}
