import { type Client, createClient } from "@svc/sdk";
import { VERSION } from "../../version.ts";
import { BUDGET, DEPLOY, NOTES, ON_CALL, WELCOME } from "./pages.ts";

const markdown = (content: string) => ({ format: "markdown", content }) as const;

const page = async (
  client: Client,
  place: { knowledge_base_id: number; folder_id?: number },
  title: string,
  text: string,
) => (await client.post("/documents", { body: { title, ...place, content: markdown(text) } })).data;

/** Fills an empty workspace with something of everything. Returns the page to open first and a public address. */
export async function fillWorkspace(baseUrl: string, token: string): Promise<{ page: string; shared: string }> {
  const client = createClient({ baseUrl, token, userAgent: `svc-cli/${VERSION} (svc demo)` });
  const agent = createClient({ baseUrl, token, userAgent: `example-agent/1.0 (Release agent)` });
  const { data: handbook } = await client.post("/knowledge-bases", { body: { name: "Handbook" } });
  const { data: engineering } = await client.post("/knowledge-bases", { body: { name: "Engineering" } });
  const inBase = { knowledge_base_id: engineering.id };
  const { data: guides } = await client.post("/folders", { body: { name: "Guides", ...inBase } });
  const place = { ...inBase, folder_id: guides.id };

  const deploy = await page(client, place, "How we deploy", DEPLOY);
  await page(client, place, "On call", ON_CALL.replace("DEPLOY", deploy.id));
  await page(client, inBase, "Notes of the week", NOTES);
  const welcome = await page(
    client,
    { knowledge_base_id: handbook.id },
    "Welcome",
    WELCOME.replace("DEPLOY", deploy.id),
  );
  const { data: budget } = await client.post("/documents", {
    body: { title: "Budget", ...place, document_type: "spreadsheet", content: markdown(BUDGET) },
  });

  await discuss(client, agent, deploy.id);
  const { data: share } = await client.post("/documents/{id}/public-share", { path: { id: welcome.id }, body: {} });
  await client.put("/me/favourites/{id}", { path: { id: budget.id } });
  return { page: deploy.id, shared: share.url };
}

/** An edit, so that there is a history; a comment with an answer; and an agent's suggestion that waits for a decision. */
async function discuss(client: Client, agent: Client, id: string): Promise<void> {
  const operations = [{ op: "edit_markdown" as const, old: "many times a day", new: "several times a day" }];
  const path = { id };
  await client.post("/documents/{id}/batch", { path, body: { base_version: "*", operations } });
  const question = markdown("Does this hold for the *staging* hosts, too?");
  const { data: comment } = await client.post("/documents/{id}/comments", { path, body: { body: question } });
  const answer = markdown("Yes, since the last release.");
  await client.post("/comments/{id}/replies", { path: { id: comment.id }, body: { body: answer } });
  await agent.post("/documents/{id}/suggestions", {
    path,
    body: {
      base_version: "*",
      note: "Two deploys failed on a full disk last week.",
      operations: [{ op: "append_markdown", markdown: "Check the free disk space before you begin: `df -h`.\n" }],
    },
  });
}
