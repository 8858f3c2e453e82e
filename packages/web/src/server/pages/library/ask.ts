import { type AnswerText, answerSource, answerText, type Citation, noAnswer } from "../../../shared/answer.ts";
import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";

interface Answer {
  readonly found: boolean;
  readonly answer: readonly AnswerText[];
  readonly citations: readonly Citation[];
  readonly warnings: readonly { readonly message: string }[];
}

interface Ask {
  readonly question: string;
  /** Absent if a script is to ask for it, so that it arrives in parts. */
  readonly answer: Answer | undefined;
  readonly wrong: string | undefined;
}

/** Answers a question from the pages, with the passages that prove it. */
export const askPage = (input: Ask): Page => ({
  title: input.question ? `${input.question}: ask` : "Ask",
  scripts: ["islands/ask.js"],
  main: html`<h1>Ask</h1>
<form class="search-form" action="/ask" data-ask><label class="visually-hidden" for="question">Your question</label><input id="question" name="q" type="search" value="${input.question}" maxlength="512" autocomplete="off" placeholder="Ask a question about your pages" ${!input.question && html`autofocus`}><input type="hidden" name="answer" value="1"><button class="button button-main">Ask</button></form>
<div id="answer" aria-live="polite" ${input.question && !input.answer && !input.wrong && html`data-question="${input.question}"`}>${content(input)}</div>`,
});

function content({ question, answer, wrong }: Ask): Part {
  if (wrong) return html`<p class="banner banner-care">${wrong}</p>`;
  if (question === "")
    return html`<p class="hint">The answer comes from pages that you can see, and every part of it leads to its source.</p>`;
  if (!answer)
    return html`<noscript><p><a class="button" href="/ask?${new URLSearchParams({ q: question, answer: "1" }).toString()}">Show the answer</a></p></noscript>`;
  return answer.found ? shown(answer) : noAnswer(question);
}

function shown({ answer, citations, warnings }: Answer): Html {
  const known = new Map(citations.map((citation) => [citation.n, citation]));
  return html`<div class="answer">${answer.map((part) => answerText(part, known))}</div>
${warnings.map(({ message }) => html`<p class="hint">${message}</p>`)}
<h2>Sources</h2><ol class="sources">${citations.map((citation) => answerSource(citation))}</ol>`;
}
