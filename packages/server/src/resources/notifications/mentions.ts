/** Ids of the people that a Markdown text mentions, as `[@Name](svc://user/user_…)`. */
export const mentionedIn = (markdown: string): string[] => [
  ...new Set([...markdown.matchAll(/\]\(svc:\/\/user\/(user_[0-9A-HJKMNP-TV-Z]{26})\)/g)].map(([, id]) => id!)),
];
