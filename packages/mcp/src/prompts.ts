import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

/** Prompts that a person can choose in their client. */
export const prompts: readonly Prompt[] = [
  {
    name: "answer_from_documents",
    title: "Answer from the documents",
    description: "Answers a question from the knowledge bases, and says where each statement stands.",
    arguments: [{ name: "question", description: "What you want to know.", required: true }],
    text: ({ question }) =>
      `Answer this question from the documents in svc: ${question}\n\nSearch with several wordings: hits come as whole blocks; read a section only where that is not enough, and use only what stands there. After each statement link its source as [title](svc://doc/<document_id>#block=<block_id>). Say plainly what the documents do not answer or contradict each other on.`,
  },
  {
    name: "catch_up",
    title: "Catch up",
    description: "Tells what changed in the knowledge bases since a day.",
    arguments: [{ name: "since", description: "A day or time, such as 2026-11-01.", required: true }],
    text: ({ since }) =>
      `Tell me what changed in svc since ${since}. Call get_changes with since once: it has the old and new words of every page. Give me the substance in a few lines per document, most important first, each linked as [title](svc://doc/<document_id>).`,
  },
  {
    name: "review_document",
    title: "Review a document",
    description: "Reads a document critically and proposes edits, without making them.",
    arguments: [{ name: "document", description: "Its title, id or svc:// address.", required: true }],
    text: ({ document }) =>
      `Review the document ${document} in svc. Read all of it, check what it links to and what links to it, and look for errors, gaps, contradictions with other documents and stale parts. Propose edits block by block, each with its block id, the present text and yours. Change nothing before I agree; then make the agreed edits in one edit_markdown call (edits).`,
  },
];

export const describePrompt = ({ text: _, ...prompt }: Prompt) => ({ ...prompt, arguments: [...prompt.arguments] });

export function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const missing = prompt.arguments.find((each) => each.required && !args[each.name]?.trim());
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs ${missing.name}.`);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.text(args) } }],
  };
}
