/** Where menus and bars of the editor stand: within the page's main part, as its readers expect. */
export const stage = (): HTMLElement => document.querySelector("main") ?? document.body;
