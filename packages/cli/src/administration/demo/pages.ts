/** The texts of the example workspace; `DEPLOY` stands for the id of the page of that name. */
export const WELCOME = `Good to have you here. This is a knowledge base of an invented company; change whatever you like.

- **Write**: press \`/\` for blocks, \`[[\` for a link to a page, \`@\` for a person.
- **Find**: \`Ctrl K\` opens pages and searches all texts.
- **Work together**: open a page in two windows and type in both.

Begin with [how we deploy](svc://doc/DEPLOY): it has a comment, a suggestion by an agent, and a history.

> [!TIP]
> This page has a public link, so people without an account can read it.
`;

export const DEPLOY = `We deploy from \`main\`, many times a day. A deploy is **one command** and can be taken back in a minute.

## Before you deploy

- [x] The change was reviewed
- [x] Tests pass on both databases
- [ ] The release note is written

> [!NOTE]
> Nobody deploys on Friday afternoon, unless it fixes something.

## The command

\`\`\`ts
// One host after the other, each with a health check.
for (const host of await hosts("production")) await deploy(host, { version: "1.4.0" });
\`\`\`

\`\`\`mermaid
flowchart LR
  review --> tests --> deploy --> watch
  watch -->|errors| rollback
\`\`\`

## When something goes wrong

| Sign | Cause | Action |
| :--- | :--- | :--- |
| 5xx above 1 % | a bad release | roll back |
| Slow answers | a cold cache | wait five minutes |
| No answers | the network | call the operator |

The error budget is $B = 1 - \\frac{f}{n}$ with $f$ failed of $n$ requests.
`;

export const ON_CALL = `The person on call reads [how we deploy](svc://doc/DEPLOY) first.

1. Answer the page within ten minutes.
2. Write in the incident channel what you see.
3. Roll back before you search for the cause.
`;

export const NOTES = `## Monday

The new importer reads Obsidian vaults, Notion exports and Confluence spaces.

## Tuesday

Search finds words in all their forms.
`;

export const BUDGET = `| Item | Count | Price | Total |
| --- | ---: | ---: | ---: |
| Servers | 3 | 40 | =B2*C2 |
| Seats | 12 | 5 | =B3*C3 |
| Sum | | | =SUM(D2:D3) |
`;
