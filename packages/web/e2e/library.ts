import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../server/test/support/fixtures.ts";

const TEXT = `# How we work

It is **short on purpose** and kept by everybody.

## First days

- [x] Account made
- [ ] First change

| Tool | Cost | Why we pay for it, or do not | Who looks after it when nobody is there |
| :--- | ---: | :--- | :--- |
| Git | 0 | UncommonlyLongWordThatCannotBreak | AnotherUncommonlyLongWordThatCannotBreak |

> [!WARNING]
> Never paste a token.

\`\`\`ts
const oneLineThatIsLongerThanAnyPhoneIsWideSoThatItHasToScrollByItself = "one line that is longer than any phone is wide";
\`\`\`
`;

export interface Library {
  readonly base: Loose;
  readonly folder: Loose;
  readonly welcome: Loose;
  readonly other: Loose;
}

/** A knowledge base with a folder, two documents that know each other, a spreadsheet, and one earlier version. */
export async function fillLibrary(client: Client): Promise<Library> {
  const base = await makeKnowledgeBase(client, "Handbook");
  const knowledge_base_id = base.id;
  const folder = await makeFolder(client, { name: "Onboarding", knowledge_base_id });
  const other = await makeDocument(client, { title: "Security", knowledge_base_id, text: "Lock your screen.\n" });
  await makeDocument(client, { title: "Budget", knowledge_base_id, document_type: "spreadsheet", content: undefined });
  const place = { knowledge_base_id, folder_id: folder.id };
  const text = `${TEXT}\nSee the [security notes](svc://doc/${other.id}).\n`;
  const welcome = await makeDocument(client, { title: "Welcome", ...place, text });
  const path = `/documents/${welcome.id}/content`;
  const anchored = (await client.get(`${path}?format=markdown&annotate=anchors`)).text;
  const changed = anchored.replace("short on purpose", "short").replace("# How we work", "# How we work together");
  await client.put(path, markdown(changed), { ifMatch: "*" });
  return { base, folder, welcome, other };
}
