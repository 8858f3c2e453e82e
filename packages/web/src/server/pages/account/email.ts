import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { field, form, wrong } from "../../../shared/parts.ts";

export interface EmailState {
  readonly email: string;
  /** Somebody has shown that the address is theirs. */
  readonly isVerified: boolean;
  /** The address that a mailed link waits to prove. */
  readonly waiting: string | undefined;
  /** Whether this server sends e-mail. */
  readonly canMail: boolean;
  readonly wrongEmail?: string | undefined;
}

/** The part of the account page with the address. */
export const emailPart = (input: EmailState & { readonly formToken: string }): Part => {
  const { formToken, email, isVerified, canMail, waiting } = input;
  return html`${wrong(input.wrongEmail)}
<p class="fact"><span>Email</span> <bdi>${email}</bdi></p>
${canMail && html`<p class="hint">${isVerified ? "This address is verified." : "This address is not verified."}</p>`}
${canMail && (waiting === undefined ? !isVerified && verifyForm(formToken) : waitingPart(formToken, waiting))}
${form("/account/email", formToken, [
  field({
    name: "email",
    label: "New email",
    type: "email",
    autocomplete: "email",
    maxLength: 320,
    hint: canMail ? "A link is sent there. The address changes when you open it." : "You sign in with it from then on.",
  }),
  html`<button class="button">Change email</button>`,
])}`;
};

const verifyForm = (formToken: string): Part =>
  form("/account/email/verify", formToken, html`<button class="button">Send a link that verifies it</button>`);

const waitingPart = (formToken: string, waiting: string): Part =>
  form("/account/email/withdraw", formToken, [
    html`<p>A link was sent to <bdi>${waiting}</bdi>. Open it within a day.</p>`,
    html`<button class="button button-small">Withdraw the link</button>`,
  ]);

/** The link in the mail, opened by the person whose account it is for. */
export const confirmEmailPage = (input: {
  readonly formToken: string;
  readonly token: string;
  readonly email: string;
  /** The address that the account has now. */
  readonly before: string;
}): Page => ({
  title: "Confirm your email",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Confirm your email</h1>
<p class="lead">${
    input.email === input.before
      ? html`<bdi>${input.email}</bdi> is the address of your account.`
      : html`<bdi>${input.email}</bdi> becomes the address of your account, in place of <bdi>${input.before}</bdi>. You sign in with it from then on.`
  }</p>
${form(
  `/account/email/${encodeURIComponent(input.token)}`,
  input.formToken,
  html`<button class="button button-main button-full">This address is mine</button>`,
)}
</section>`,
});
