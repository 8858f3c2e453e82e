import { type Html, html } from "../shared/html.ts";

/** A person's picture, or the first letter of their name; their name stands beside it. */
export const avatar = (name: string, picture: string | undefined): Html =>
  picture
    ? html`<img class="avatar" src="${picture}" alt="" width="34" height="34">`
    : html`<span class="avatar" aria-hidden="true">${[...name.trim()][0]?.toUpperCase() ?? "?"}</span>`;
