import { toast } from "../common/toast.ts";
import { patchChildren } from "./patch.ts";

/** The server's answer to a form: the new page, or the reason for a refusal. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<Document> {
  const body = new URLSearchParams();
  const action = new URL(form.getAttribute("action") ?? "", location.href);
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === "string") body.append(name, value);
  const answer = await fetch(action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok) {
    goOnAs(answer.url);
    return page;
  }
  throw new Error(page.querySelector("main p")?.textContent ?? "");
}

/** If the answer shows resolved threads too, this page shows them from now on, so that the answered thread stays. */
function goOnAs(answered: string): void {
  const shown = new URL(answered).searchParams.get("comments");
  const here = new URL(location.href);
  if (!shown || here.searchParams.get("comments") === shown) return;
  here.searchParams.set("comments", shown);
  history.replaceState(history.state, "", here);
}

/** Says what was done; what can be undone has a button for it. */
function report(page: Document, done: (page: Document) => void): void {
  const banner = page.querySelector("main > .banner-good");
  if (!banner) return;
  const text = (banner.querySelector("[role=status]") ?? banner).textContent ?? "";
  const undo = banner.querySelector("form");
  toast(
    text,
    undo
      ? async () => {
          const answer = await send(undo, null);
          done(answer);
          report(answer, done);
        }
      : undefined,
  );
}

function explainRefusal(error: unknown): string {
  if (error instanceof TypeError) return "the server cannot be reached.";
  const reason = error instanceof Error ? error.message : "";
  return reason || "something went wrong. What you typed is still here.";
}

/**
 * Sends the forms of the comments without leaving the page. Calls `done` after each accepted form with its thread.
 * `order` says whether the answer is the newest; if comments were loaded meanwhile, that result shows more.
 */
export function sendInPlace(
  comments: HTMLElement,
  order: () => () => boolean,
  done: (threadId: string | undefined, page: Document) => void,
): void {
  const sent = new WeakSet<HTMLFormElement>();
  comments.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    if (sent.has(form)) return;
    sent.add(form);
    const isNewest = order();
    try {
      const threadId = form.closest(".thread")?.id;
      const page = await send(form, event.submitter);
      const fresh = page.querySelector("[data-comments]");
      form.reset();
      form.closest("details")?.removeAttribute("open");
      const take = (now: Document) => {
        const newest = now.querySelector("[data-comments]");
        if (newest) patchChildren(comments, newest);
        done(threadId, now);
      };
      if (isNewest() && fresh) take(page);
      else done(threadId, page);
      report(page, take);
    } catch (error) {
      toast(`Not sent: ${explainRefusal(error)}`);
    } finally {
      sent.delete(form);
    }
  });
}
