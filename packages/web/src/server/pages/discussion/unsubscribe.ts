import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";

const about: Readonly<Record<string, string>> = {
  mention: "when you are mentioned",
  reply: "about replies in threads that you take part in",
  comment: "about comments on pages that you wrote or watch",
  suggestion: "about suggestions that you may decide",
  decision: "about decisions on your suggestions",
  share: "when you get access to a knowledge base",
  invitation: "when you are added to a workspace",
  security: "about new sign-ins, tokens and apps",
  watch: "about changes to what you watch",
  daily: "with a summary of the day",
};

/** The page that a mail's link opens. It needs no sign-in: the address is the proof. */
export const unsubscribePage = ({
  token,
  kind,
  workspaceName,
}: {
  readonly token: string;
  readonly kind: string;
  /** The workspace whose emails end; each has its own settings. */
  readonly workspaceName: string | undefined;
}): Page => ({
  title: "Unsubscribe",
  shape: "narrow",
  main: html`<section class="card"><h1>Unsubscribe?</h1>
<p>You will no longer receive emails ${workspaceName !== undefined && html`from <strong><bdi>${workspaceName}</bdi></strong> `}${about[kind]}. Everything else stays as it is.</p>
<form method="post" action="/unsubscribe/${token}"><button class="button button-main">Unsubscribe</button></form></section>`,
});
