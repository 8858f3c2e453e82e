/** Where menus and bars of the editor stand: within the page's main part, as its readers expect. */
export const stage = (): HTMLElement => document.querySelector("main") ?? document.body;

/** What the page shows until the editor is there says how its text looks: numbers of headings, for one. */
export const classOfText = (root: HTMLElement): string => root.querySelector("article")?.className ?? "prose";
