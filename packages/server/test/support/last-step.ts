import type { LastStep } from "@svc/server/db/transaction/last-steps";

/** A transaction's last step that is not written together with others. */
export const lastStep = (write: () => Promise<unknown>): LastStep => ({
  name: "events",
  workspaceId: "",
  mayRefuse: false,
  write: async () => void (await write()),
  join: () => false,
});
