import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { field, form, wrong } from "../../../shared/parts.ts";

interface Forgotten {
  readonly formToken: string;
  /** Whether this server sends e-mail. */
  readonly canMail: boolean;
  readonly email?: string;
  readonly wrong?: string;
}

const byMail = (input: Forgotten) =>
  html`<p class="lead">Enter your email address, and we’ll send you a link to set a new password.</p>
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
const byOperator = html`<p class="lead">Email is not set up on this server. Its administrator can create a link to set a new password with:</p>
<pre class="command"><code>svc users reset-password --email you@example.com</code></pre>`;

export const forgottenPage = (input: Forgotten): Page => ({
  title: "Forgotten password",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Forgotten password</h1>
${input.canMail ? byMail(input) : byOperator}
<p class="aside"><a href="/sign-in">Back to sign-in</a></p>
</section>`,
});

export const resetAskedPage = (email: string): Page => ({
  title: "Check your email",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Check your email</h1>
<p class="lead">If <bdi>${email}</bdi> has an account here, a link is on its way. It works once, within an hour.</p>
<p class="aside">No email? Check your spam folder, or ask the administrator of this server.</p>
<p class="aside"><a href="/sign-in">Back to sign-in</a></p>
</section>`,
});
