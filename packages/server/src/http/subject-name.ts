/** The name of a subject of the API in addresses: `Knowledge bases` is at `/api-docs/knowledge-bases.md`. */
export const subjectName = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");
