import assert from "node:assert/strict";
import type { ServiceStore } from "../service-store.ts";
import { NEW_PAGE } from "../tasks.ts";
import { Count, type Way } from "../way.ts";

interface Hit {
  readonly context: { readonly before: string; readonly match: string; readonly after: string };
}

/** This service over HTTP, with whole answers as they come: an agent that has `curl` and nothing else. */
export function httpWay(url: string, token: string, store: ServiceStore, since: string): Way {
  const count = new Count();
  const send = async (method: string, path: string, body?: unknown): Promise<string> => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(text !== "" && { body: text }) });
    const heard = count.add(`${method} ${path} ${text}`, await response.text());
    assert.ok(response.ok, heard);
    return heard;
  };
  const get = (path: string) => send("GET", path);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
  const parsed = (heard: string): any => JSON.parse(heard).data;
  const find = async (title: string) => parsed(await get(`/documents?q=${encodeURIComponent(title)}&limit=1`))[0].id;
  const edit = (id: string, ...operations: object[]) =>
    send("POST", `/documents/${id}/batch`, { base_version: "*", operations });
  const replace = (old: string, text: string) => ({ op: "edit_markdown", old, new: text });
  return {
    name: "svc HTTP",
    store,
    count,
    close: async () => undefined,
    scripts: {
      "find a fact, fix a word": async () => {
        const [hit] = parsed(await get("/search/v2?q=zebrafish+audit+rows+kept&limit=1"));
        return edit(hit.document_id, replace("90 days", "60 days"));
      },
      "add a bullet under a heading": async () =>
        edit(await find("People page 5"), {
          op: "append_markdown",
          section: "Rules",
          markdown: "- Ask before you leave.",
        }),
      "what changed (20 edits, 8 pages)": () => get(`/changes/diff?since=${since}`),
      "move a section, keep links": async () => {
        const [from, to] = [await find("Engineering page 20"), await find("Operations page 20")];
        const { items } = parsed(await get(`/documents/${from}/outline`));
        const { block_id } = items.find((item: { text: string }) => item.text === "Rules");
        return send("POST", `/documents/${from}/sections/${block_id}/move`, { target_document_id: to });
      },
      "three cited paragraphs": async () => {
        const hits: Hit[] = parsed(await get("/search/v2?q=quokka+nodes&limit=3"));
        return hits.map(({ context }) => context.before + context.match + context.after).join("\n");
      },
      "one section of 40,000 words": async () => {
        const [hit] = parsed(await get("/search/v2?q=%22Chapter+120%22&limit=1"));
        const { items } = parsed(await get(`/documents/${hit.document_id}/read?section=${hit.block_id}`));
        return items.map(({ content }: { content: string }) => content).join("\n\n");
      },
      "new page in the right folder": async () => {
        const [base] = parsed(await get("/knowledge-bases"));
        const children = parsed(await get(`/knowledge-bases/${base.id}/children`));
        const folder = children.find((item: { name?: string }) => item.name === "Operations");
        return send("POST", "/documents", {
          title: "Hand-over",
          knowledge_base_id: base.id,
          folder_id: folder.id,
          content: { format: "markdown", content: NEW_PAGE },
        });
      },
      "one cell of 200 rows": async () => {
        const [hit] = parsed(await get("/search/v2?q=part-117&limit=1"));
        return edit(hit.document_id, replace("| part-117 | 362 |", "| part-117 | 399 |"));
      },
      "overview of 60 pages": async () => {
        const [base] = parsed(await get("/knowledge-bases"));
        const children = parsed(await get(`/knowledge-bases/${base.id}/children`));
        const folder = children.find((item: { name?: string }) => item.name === "Finance");
        return get(`/folders/${folder.id}/summary`);
      },
      "two agents on one page": async () => {
        const id = await find("Operations page 3");
        for (let i = 0; i < 2; i++) await get(`/documents/${id}/content?format=markdown`);
        await edit(id, replace("at dawn", "at noon"));
        return edit(id, replace("share a disk", "share a network"));
      },
    },
  };
}
