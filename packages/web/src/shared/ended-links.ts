/** Shown when something restored from the trash had share links that its deletion ended. */
export const ENDED_LINKS = "Restored. Its public link ended when it was deleted: share it again to create a new one.";
