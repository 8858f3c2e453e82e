/** Up to three blanks before it make no difference to what HTML is. */
const anchor = /^ {0,3}<!--[ \t]*@block=([^\s>]+?)(?:[ \t]+#\S*)?[ \t]*-->\s*$/;

/** The block id in an anchor comment, or null for any other HTML. */
export const readAnchor = (html: string): string | null => anchor.exec(html)?.[1] ?? null;

/** The comment that stands before a block. */
export const anchorComment = (id: string, slug?: string): string =>
  slug === undefined ? `<!--@block=${id}-->` : `<!--@block=${id} #${slug}-->`;

/** Whether something in a text may be an anchor. */
export const mayHaveAnchors = (text: string): boolean => /<!--[ \t]*@block=/.test(text);
