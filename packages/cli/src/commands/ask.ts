import { styleText } from "node:util";
import type { Answer } from "@svc/sdk";
import type { Command } from "commander";
import { resolvePlace } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { note, print } from "../output.ts";

interface Options extends ServerOptions {
  readonly kb?: string;
  readonly locale?: string;
  readonly citations: number;
}

async function run(words: readonly string[], options: Options): Promise<void> {
  const client = connect(options);
  const base = options.kb === undefined ? undefined : await resolvePlace(client, options.kb, "knowledge_base");
  const { data: answer } = await client.post("/ask", {
    body: {
      question: words.join(" "),
      max_citations: options.citations,
      ...(base && { knowledge_base_ids: [base.knowledgeBase.id] }),
      ...(options.locale !== undefined && { locale: options.locale }),
    },
  });
  print(options, answer, shown(answer));
  for (const { message } of answer.warnings) note(message);
  if (answer.model !== undefined) note(`Written by ${answer.model}. Every quote stands in its page.`);
  if (!options.json && !answer.found) note("No page answers that. Try other words, or svc search.");
}

function shown({ answer, citations, generator }: Answer<"/ask", "post">["data"]): string[] {
  const bold = (text: string) => styleText("bold", text, { stream: process.stdout });
  const parts = answer.flatMap(({ text, citations: numbers }) => [
    `${text} ${numbers.map((n) => `[${n}]`).join("")}`,
    "",
  ]);
  const sources = citations.map(({ n, title, heading_path, uri, quote }) => {
    const proof = generator === "model" ? [`    “${quote.replace(/\s+/g, " ")}”`] : [];
    return [`[${n}] ${bold([title, ...heading_path].join(" › "))}`, ...proof, `    ${uri}`].join("\n");
  });
  return [...parts, ...sources];
}

export function define(command: Command): void {
  withServer(command)
    .argument("<words...>", "the question")
    .option("--kb <kb>", "only in this knowledge base")
    .option("--locale <tag>", "documents in this language, or all")
    .option("--citations <number>", "how many passages at most", wholeNumber(1, 10), 5)
    .action(run);
}
