/** Kinds of relations between documents that can be stated; a test holds them against the service's own list. */
export const statedPredicates = [
  "supports",
  "contradicts",
  "depends_on",
  "extends",
  "duplicates",
  "supersedes",
  "example_of",
  "related_to",
] as const;

/** `refers_to` comes from links in texts. */
export const predicates = ["refers_to", ...statedPredicates] as const;
