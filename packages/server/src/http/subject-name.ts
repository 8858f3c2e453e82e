/** The URL form of an API subject: `Knowledge bases` is at `/api-docs/knowledge-bases.md`. */
export const subjectName = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");
