import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, copyable, field, form, plural, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import { PASSKEY_SCRIPT, type PasskeyOffer, passkeyForm } from "../sign-in/passkey-form.ts";
import { type ConnectedIdentity, identitiesPart } from "./identities.ts";

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

interface Security {
  readonly formToken: string;
  /** Whether the person has just proven who they are; changes need that. */
  readonly isProven: boolean;
  readonly hasPassword: boolean;
  readonly hasCodes: boolean;
  readonly codesLeft: number;
  readonly passkeys: readonly Passkey[];
  readonly passkey: PasskeyOffer | undefined;
  readonly canHavePasskeys: boolean;
  readonly newPasskeyName: string;
  readonly identities: readonly ConnectedIdentity[];
  /** Providers without a connected account of theirs. */
  readonly providers: readonly { readonly key: string; readonly name: string }[];
  readonly now: number;
  readonly wrong?: string | undefined;
}

const HERE = "/account/security";

export const securityPage = (input: Security): Page => ({
  title: "Sign-in and security",
  shape: "settings",
  scripts: input.passkey ? [PASSKEY_SCRIPT] : [],
  main: html`<h1>Sign-in and security</h1>
<p class="lead"><a href="/account">Your account</a> has your password and your sessions.</p>
${wrong(input.wrong)}
${!input.isProven && html`<p class="banner banner-care">To change anything here, <a href="/prove?next=${encodeURIComponent(HERE)}">confirm it’s you</a>.</p>`}
<section class="card" aria-labelledby="codes"><h2 id="codes">Authenticator app</h2>
${input.hasCodes ? codesOn(input) : codesOff(input)}</section>
<section class="card" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p class="lead">A passkey signs you in with your device's lock, a security key or a password manager, without a password.</p>
${input.passkeys.length > 0 && html`<ul class="rows">${input.passkeys.map((each) => passkeyRow(each, input))}</ul>`}
${newPasskey(input)}</section>
${identitiesPart(input)}`,
});

const codesOff = ({ isProven, hasPassword, formToken }: Security): Part => [
  html`<p class="lead">An app on your phone shows a code that sign-in asks for after your password, so a stolen password alone is not enough.</p>`,
  !hasPassword && html`<p class="hint">You sign in without a password, so sign-in would not ask for a code.</p>`,
  isProven && form(`${HERE}/totp`, formToken, html`<button class="button">Set up an app</button>`),
];

const codesOn = ({ isProven, formToken, codesLeft }: Security): Part => [
  html`<p class="lead"><span class="tag tag-good">on</span> A code is asked for after your password. ${plural(codesLeft, "recovery code")} left.</p>`,
  isProven &&
    html`<div class="row-actions">${form(`${HERE}/recovery-codes`, formToken, html`<button class="button button-small">New recovery codes</button>`)}${confirm(
      "Turn off",
      "You will sign in with your password alone, and your recovery codes will be deleted.",
      form(`${HERE}/totp/remove`, formToken, html`<button class="button button-danger">Turn off two-factor</button>`),
    )}</div>`,
];

const passkeyRow = (passkey: Passkey, { formToken, isProven, now }: Security): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${passkey.name}</bdi></p>
<p class="row-facts"><span>Added ${time(passkey.createdAt, now)}</span><span>${passkey.lastUsedAt === null ? "Never used" : html`Used ${time(passkey.lastUsedAt, now)}`}</span></p></div>
${
  isProven &&
  confirm(
    "Remove",
    "It no longer signs you in.",
    form(
      `${HERE}/passkeys/remove`,
      formToken,
      html`<button class="button button-danger" name="passkey" value="${passkey.id}">Remove passkey</button>`,
    ),
  )
}</li>`;

const newPasskey = ({ passkey, canHavePasskeys, newPasskeyName, formToken }: Security): Part =>
  !canHavePasskeys
    ? html`<p class="hint">Passkeys need a domain name; this server is opened by its IP address.</p>`
    : passkey && [
        html`<noscript><p class="hint">Adding a passkey needs scripts.</p></noscript>`,
        passkeyForm({
          action: `${HERE}/passkeys`,
          formToken,
          offer: passkey,
          kind: "make",
          label: "Add a passkey",
          style: "",
          content: field({
            name: "name",
            label: "Name of the passkey",
            value: newPasskeyName,
            maxLength: 100,
            autocomplete: "off",
          }),
        }),
      ];

interface Totp {
  readonly formToken: string;
  readonly secret: string;
  readonly url: string;
  readonly qr: { readonly path: string; readonly size: number };
  readonly wrong?: string | undefined;
}

export const totpPage = ({ formToken, secret, url, qr, wrong: complaint }: Totp): Page => ({
  title: "Set up an authenticator app",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Set up an authenticator app</h1>
<p class="lead">Scan this with the app, or type in the key. Then enter the code that it shows.</p>
${wrong(complaint)}
<svg class="qr" viewBox="0 0 ${qr.size} ${qr.size}" role="img" aria-label="QR code with the key"><rect width="${qr.size}" height="${qr.size}" fill="#fff"/><path d="${qr.path}" fill="#000"/></svg>
${copyable("key", "Key", secret.replace(/(.{4})(?=.)/g, "$1 "))}
<p class="aside"><a href="${url}">Open it in an app on this device</a></p>
${form(`${HERE}/totp/confirm`, formToken, [
  field({ name: "code", label: "Code", autocomplete: "one-time-code", maxLength: 10, autofocus: true }),
  html`<button class="button button-main button-full">Turn on two-factor</button>`,
])}
<p class="aside"><a href="${HERE}">Not now</a></p>
</section>`,
});

export const recoveryCodesPage = ({
  codes,
  isFirst,
}: {
  readonly codes: readonly string[];
  readonly isFirst: boolean;
}): Page => ({
  title: "Recovery codes",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Recovery codes</h1>
${isFirst && html`<p class="banner banner-good" role="status">Two-factor is on: sign-in asks for a code after your password.</p>`}
<p class="lead">If you lose your device, each of these works once instead of a code. Keep them on paper or in a password manager: they are not shown again.</p>
<ul class="code-list">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button button-main button-full" href="${HERE}">I have saved them</a></p>
</section>`,
});
