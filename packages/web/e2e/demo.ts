import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../server/test/support/fixtures.ts";

const DEPLOY = `We deploy from \`main\`, many times a day. A deploy is **one command** and can be taken back in a minute.

## Before you deploy

- [x] The change was reviewed
- [x] Tests pass on both databases
- [ ] The release note is written

> [!NOTE]
> Nobody deploys on Friday afternoon, unless it mends something.

## The command

\`\`\`ts
import { deploy } from "./deploy.ts";

// One host after the other, each with a health check.
for (const host of await hosts("production")) await deploy(host, { version: "1.4.0" });
\`\`\`

## When something goes wrong

| Sign | Cause | What to do |
| :--- | :--- | :--- |
| 5xx above 1 % | a bad release | roll back |
| Slow answers | a cold cache | wait five minutes |
| No answers | the network | call the operator |

### Roll back

Run the same command with the version before. Data stays as it is.

## Afterwards

Write down what happened, in the team's words, in a page of its own.
`;

/** A small company's knowledge, for pictures. */
export async function fillDemo(client: Client): Promise<{ folder: number; document: string }> {
  const handbook = await makeKnowledgeBase(client, "Handbook");
  const engineering = await makeKnowledgeBase(client, "Engineering");
  await makeKnowledgeBase(client, "Customers");
  const inBase = { knowledge_base_id: engineering.id };
  const guides = await makeFolder(client, { name: "Guides", ...inBase });
  await makeFolder(client, { name: "Decisions", ...inBase });
  const place = { ...inBase, folder_id: guides.id };
  const document = await makeDocument(client, { title: "How we deploy", ...place, text: DEPLOY });
  await makeDocument(client, {
    title: "On call",
    ...place,
    text: `Who is on call reads [how we deploy](svc://doc/${document.id}) first.\n`,
  });
  await makeDocument(client, { title: "Local set-up", ...place, text: "Clone, `npm ci`, `npm start`.\n" });
  await makeDocument(client, { title: "Budget", ...place, document_type: "spreadsheet", content: undefined });
  await makeDocument(client, { title: "Welcome", knowledge_base_id: handbook.id, text: "Good to have you here.\n" });
  const path = `/documents/${document.id}/content`;
  const anchored = (await client.get(`${path}?format=markdown&annotate=anchors`)).text;
  await client.put(path, markdown(anchored.replace("many times a day", "several times a day")), { ifMatch: "*" });
  const old = await makeDocument(client, { title: "Old notes", ...place, text: "Gone.\n" });
  await client.delete(`/documents/${old.id}`);
  await client.put(`/me/favourites/${document.id}`);
  return { folder: guides.id, document: document.id };
}
