import { html } from "../../html.ts";
import type { Page } from "../../page.ts";
import { field, form, wrong } from "../../parts.ts";

interface Forgotten {
  readonly formToken: string;
  /** Whether this server sends e-mail. */
  readonly canMail: boolean;
  readonly email?: string;
  readonly wrong?: string;
}

const byMail = (input: Forgotten) =>
  html`<p class="lead">Tell your address, and a link that sets a new password comes by e-mail.</p>
${wrong(input.wrong)}
${form("/forgotten", input.formToken, [
  field({
    name: "email",
    label: "Email",
    type: "email",
    value: input.email,
    autocomplete: "username",
    maxLength: 320,
    autofocus: true,
  }),
  html`<button class="button button-main button-full">Send the link</button>`,
])}`;

/** The same answer for every address: it does not show who has an account. */
const byOperator = html`<p class="lead">This server sends no e-mail. Whoever runs it can make a link that sets a new password, with:</p>
<pre class="command"><code>svc users reset-password --email you@example.com</code></pre>`;

export const forgottenPage = (input: Forgotten): Page => ({
  title: "Forgotten password",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Forgotten password</h1>
${input.canMail ? byMail(input) : byOperator}
<p class="aside"><a href="/sign-in">Back to the sign-in</a></p>
</section>`,
});

export const resetAskedPage = (email: string): Page => ({
  title: "Look into your mail",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Look into your mail</h1>
<p class="lead">If <bdi>${email}</bdi> has an account here, a link is on its way. It works once, within an hour.</p>
<p class="aside">Nothing came? Look among unwanted mail, or ask whoever runs this server.</p>
<p class="aside"><a href="/sign-in">Back to the sign-in</a></p>
</section>`,
});
