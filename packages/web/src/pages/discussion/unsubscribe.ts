import { html } from "../../html.ts";
import type { Page } from "../../page.ts";

const about: Readonly<Record<string, string>> = {
  mention: "when somebody mentions you",
  reply: "when somebody replies in a thread that you take part in",
  comment: "about comments on pages that you wrote or watch",
  suggestion: "about suggestions that you may decide",
  decision: "about decisions on your suggestions",
  share: "when you get access to a knowledge base",
  invitation: "when you are let into a workspace",
  security: "about new places of sign-in, tokens and programs of yours",
  watch: "about changes of what you watch",
  daily: "with what happened in a day",
};

/** What the link in a mail opens. The form needs no sign-in: its address is the proof. */
export const unsubscribePage = ({
  token,
  kind,
  workspaceName,
}: {
  readonly token: string;
  readonly kind: string;
  /** Whose mails end: every workspace has its own settings. */
  readonly workspaceName: string | undefined;
}): Page => ({
  title: "No more such mails",
  shape: "narrow",
  main: html`<section class="card"><h1>No more such mails?</h1>
<p>You will get no mails ${workspaceName !== undefined && html`from <strong><bdi>${workspaceName}</bdi></strong> `}${about[kind]}. Everything else stays as it is.</p>
<form method="post" action="/unsubscribe/${token}"><button class="button button-main">Stop these mails</button></form></section>`,
});
