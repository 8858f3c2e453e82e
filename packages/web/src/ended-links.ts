/** Said where something comes back from the trash whose share links ended when it was deleted. */
export const ENDED_LINKS = "It is back. Its share link ended when it was deleted: share it again to make a new one.";
