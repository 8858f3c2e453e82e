/** The names under which the packages are published. Inside the repository they keep the shorter ones. */
const INTERNAL = "@svc/";
const PUBLISHED = "@svc-kb/";

export const publishedName = (name: string): string =>
  name.startsWith(INTERNAL) ? PUBLISHED + name.slice(INTERNAL.length) : name;

/** A README or a declaration with the published names of the SDK and the Tiptap kit. */
export const withPublishedNames = (text: string): string =>
  text.replaceAll(/@svc\/(sdk|tiptap-kit)\b/g, (name) => publishedName(name));
