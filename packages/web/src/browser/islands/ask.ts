/** Asks a question and shows the answer in parts, as the server sends them. */
import { type AnswerText, answerSource, answerText, type Citation, noAnswer } from "../../shared/answer.ts";
import type { Html } from "../../shared/html.ts";
import { formToken } from "./common/api.ts";
import { at } from "./common/base-path.ts";
import { readEvents } from "./common/read-events.ts";

const form = document.querySelector<HTMLFormElement>("[data-ask]");
const place = document.getElementById("answer");
const base = at("/").replace(/\/$/, "");
let asking: AbortController | undefined;

const add = (parent: Element, part: Html): void => parent.insertAdjacentHTML("beforeend", part.text);

/** The parts of an answer, added as they arrive. */
class ShownAnswer {
  readonly #known = new Map<number, Citation>();
  readonly #text = document.createElement("div");
  readonly #sources = document.createElement("ol");
  readonly #question: string;

  constructor(question: string) {
    this.#question = question;
    this.#text.className = "answer";
    this.#sources.className = "sources";
  }

  take(name: string, data: string): void {
    const value = JSON.parse(data);
    if (name === "citation") this.#known.set((value as Citation).n, value);
    if (name === "text") this.#show(value as AnswerText);
    if (name === "done") this.#finish(value);
  }

  #show(part: AnswerText): void {
    if (!this.#text.isConnected) place?.replaceChildren(this.#text);
    add(this.#text, answerText(part, this.#known, base));
  }

  #finish({ found, warnings }: { found: boolean; warnings: readonly { message: string }[] }): void {
    if (!place) return;
    if (!found) place.innerHTML = noAnswer(this.#question, base).text;
    if (!found) return;
    for (const { message } of warnings) place.append(hint(message));
    const title = document.createElement("h2");
    title.textContent = "Sources";
    for (const citation of this.#known.values()) add(this.#sources, answerSource(citation, base));
    place.append(title, this.#sources);
  }
}

function hint(text: string): HTMLElement {
  const line = document.createElement("p");
  line.className = "hint";
  line.textContent = text;
  return line;
}

async function ask(question: string): Promise<void> {
  asking?.abort();
  const own = new AbortController();
  asking = own;
  place?.replaceChildren(hint("Looking through the pages…"));
  try {
    const reply = await fetch(at("/app/api/v1/ask"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", "x-form-token": formToken() },
      body: JSON.stringify({ question }),
      signal: own.signal,
    });
    if (!reply.ok || !reply.body) throw new Error((await reply.json()).error?.message);
    const shown = new ShownAnswer(question);
    for await (const { name, data } of readEvents(reply.body)) shown.take(name, data);
  } catch (error) {
    if (own.signal.aborted) return;
    const text =
      error instanceof Error && !(error instanceof TypeError) ? error.message : "The server cannot be reached.";
    place?.replaceChildren(hint(`${text} Try again.`));
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = String(new FormData(form).get("q") ?? "").trim();
  if (question === "") return;
  history.replaceState(null, "", at(`/ask?${new URLSearchParams({ q: question })}`));
  void ask(question);
});

const waiting = place?.dataset.question;
if (waiting) void ask(waiting);
document.documentElement.setAttribute("data-ask-ready", "");
