import { html, type Part } from "../../shared/html.ts";
import type { Page } from "../../shared/page.ts";

/** A page that only says something: an error, the end of a link. */
export const messagePage = (input: {
  readonly title: string;
  readonly text: string;
  readonly detail?: string | undefined;
  readonly link?: { readonly href: string; readonly label: string };
}): Page => ({
  title: input.title,
  shape: "narrow",
  main: html`<section class="card card-entry card-message">
<h1>${input.title}</h1>
<p class="lead">${input.text}</p>
${input.detail && html`<p class="aside">${input.detail}</p>`}
${link(input.link ?? { href: "/", label: "Go to the start page" })}
</section>`,
});

const link = ({ href, label }: { href: string; label: string }): Part =>
  html`<p><a class="button button-full" href="${href}">${label}</a></p>`;
