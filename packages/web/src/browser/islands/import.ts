/** Uploads an archive, shows the progress of its import, and then the report. */
import { plural } from "../../shared/parts.ts";
import { api, explain, formToken } from "./common/api.ts";
import { at } from "./common/base-path.ts";
import { element } from "./common/element.ts";

const ASK_MS = 500;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Bar {
  readonly text: HTMLElement;
  readonly progress: HTMLProgressElement;
}

function showBar(state: HTMLElement): Bar {
  const text = element("p", {}, "Uploading…");
  const progress = element("progress", { max: 1, value: 0, "aria-label": "Progress" });
  state.replaceChildren(text, progress);
  return { text, progress };
}

/** `fetch` does not report how much was sent. */
function send(file: File, name: string, bar: Bar): Promise<string> {
  const body = new FormData();
  if (name !== "") body.set("name", name);
  body.set("file", file);
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", at("/app/api/v1/knowledge-bases/import"));
    request.setRequestHeader("x-form-token", formToken());
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.progress.value = total > 0 ? loaded / total : 0;
    });
    request.addEventListener("load", () => {
      const { data, error } = request.response ?? {};
      if (request.status < 300 && data) done(String(data.id));
      else fail(new Error(error?.message ?? "The archive could not be sent."));
    });
    request.addEventListener("error", () => fail(new Error("The server cannot be reached. Nothing was imported.")));
    request.send(body);
  });
}

async function follow(id: string, bar: Bar) {
  for (;;) {
    const { data: job } = await api.get("/import-jobs/{id}", { path: { id } });
    const { documents_done: done, documents_total: total } = job.progress;
    bar.text.textContent = total === null ? "Reading the archive…" : `${done} of ${total} pages`;
    if (total) bar.progress.value = done / total;
    else bar.progress.removeAttribute("value");
    if (job.status !== "pending" && job.status !== "running") return job;
    await pause(ASK_MS);
  }
}

type Job = Awaited<ReturnType<typeof follow>>;

function report(state: HTMLElement, job: Job): void {
  if (job.status !== "succeeded") {
    state.replaceChildren(element("p", { class: "banner banner-wrong" }, job.error?.message ?? "The import failed."));
    return;
  }
  const { documents, folders, attachments } = job;
  const counts = `${plural(documents ?? 0, "page")}, ${plural(folders ?? 0, "folder")}, ${plural(attachments ?? 0, "file")}`;
  const { links_resolved: resolved, links_unresolved: unresolved } = job;
  const links = resolved || unresolved ? ` Links: ${resolved ?? 0} working, ${unresolved ?? 0} broken.` : "";
  const link = element(
    "a",
    { class: "button button-main", href: at(`/knowledge-bases/${job.knowledge_base_id}`) },
    "Open knowledge base",
  );
  state.replaceChildren(
    element("p", { class: "banner banner-good" }, `Imported ${counts}.${links}`),
    link,
    ...warningsOf(job),
  );
}

/** Folded: there may be two hundred, and the way on must not stand behind them. */
function warningsOf({ warnings }: Job): HTMLElement[] {
  if (warnings.length === 0) return [];
  const list = element("ul", { class: "bullets" }, ...warnings.map((warning) => element("li", {}, warning)));
  return [element("details", { class: "more" }, element("summary", {}, "Warnings"), list)];
}

async function run(form: HTMLFormElement, state: HTMLElement): Promise<void> {
  const file = form.querySelector<HTMLInputElement>("[type=file]")?.files?.[0];
  if (!file) return;
  const button = form.querySelector("button");
  if (button) button.disabled = true;
  try {
    const bar = showBar(state);
    const id = await send(file, form.querySelector<HTMLInputElement>("[name=name]")?.value.trim() ?? "", bar);
    report(state, await follow(id, bar));
  } catch (error) {
    const text = error instanceof Error && error.name === "Error" ? error.message : explain(error);
    state.replaceChildren(element("p", { class: "banner banner-wrong" }, text));
  } finally {
    if (button) button.disabled = false;
  }
}

const form = document.querySelector<HTMLFormElement>("[data-import]");
const state = document.querySelector<HTMLElement>("[data-import-state]");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (state) void run(form, state);
});
