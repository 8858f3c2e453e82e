import { goTo, type MemberVisit, type Outcome, post } from "../visit.ts";

const WELCOME = `This is a page like any other: click into the text and write. What you type is saved as you go, and others see it at once.

## What to try

- [ ] Type \`/\` at the start of a line: headings, tables, tasks, pictures, diagrams.
- [ ] Type \`[[\` to link another page, or to make one.
- [ ] Press Ctrl+K (⌘K) to find any page or command.
- [ ] Select some words and comment on them.
- [ ] Open **Versions** to see what this page was before.

## Who else comes here

| Who | How |
| --- | --- |
| People | Invite them on the page **Members**. |
| Agents and programs | Your name, then **Connect an agent**. They read, suggest or write, as you allow. |
| Files you already have | **Import** takes Markdown, Notion, Confluence, Obsidian and Word. |

> [!TIP]
> When you no longer need this page, delete it: the trash keeps it for a while.
`;

/** Creates a first knowledge base with an editable page that explains the product. */
async function makeWelcome({ api }: MemberVisit): Promise<Outcome> {
  const { data: base } = await api.post("/knowledge-bases", { body: { name: "Handbook" } });
  const content = { format: "markdown", content: WELCOME } as const;
  const body = { title: "Welcome", knowledge_base_id: base.id, document_type: "document", content } as const;
  const { data: page } = await api.post("/documents", { body });
  return goTo(`/documents/${page.id}/edit`);
}

export const welcomePages = [post("/knowledge-bases/welcome", makeWelcome)];
