import { type Client, isApiError, isConflict, type Written } from "@svc/sdk";
import { ask, isInteractive } from "../ask.ts";
import { type Body, readAnchored, writeMarkdown } from "../bodies.ts";
import { CommandError, failure } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { explainError } from "../explain-error.ts";
import { counted, note, quoted } from "../output.ts";
import { hasConflictMarkers, mergeTexts } from "../text/merge.ts";
import { Draft } from "./draft.ts";
import { runEditor } from "./run-editor.ts";

const labels = { mine: "your edit", base: "as you opened it", theirs: "on the server now" };

/**
 * Lets a person edit a document's body as anchored Markdown and saves it on the version they saw. When somebody else
 * saved meanwhile, both edits are merged; where they touch the same lines, the person decides. The text stays in its
 * draft until the server has it.
 */
export async function editDocument(client: Client, id: string): Promise<Written> {
  const base = await readAnchored(client, id);
  const draft = new Draft(id, base.content);
  await keeping(draft, id, base, () => runEditor(draft.file));
  const text = draft.read();
  if (text !== base.content) return save(client, id, draft, base, text);
  draft.remove();
  return { version: base.version, changed_block_ids: [] };
}

async function save(client: Client, id: string, draft: Draft, opened: Body, edited: string): Promise<Written> {
  let [base, text] = [opened, edited];
  while (true) {
    if (text.trim() === "" && base.content.trim() !== "") {
      draft.remove();
      throw failure("The text is empty, so nothing was saved.", `svc write ${id} --text '' empties the document`);
    }
    try {
      const written = await writeMarkdown(client, id, text, base.version);
      draft.remove();
      return written;
    } catch (error) {
      if (isConflict(error)) ({ base, text } = await merge(client, id, draft, base, text));
      else if (isApiError(error) && error.status === 422 && isInteractive())
        text = await editAgain(draft, explainError(error).message);
      else throw keptIn(draft, id, base, error);
    }
  }
}

/** Both edits as one text on the server's newest version; undecided places go back to the person. */
async function merge(client: Client, id: string, draft: Draft, base: Body, text: string) {
  const current = await keeping(draft, id, base, () => readAnchored(client, id));
  const merged = mergeTexts(base.content, text, current.content, labels);
  draft.write(merged.text);
  if (merged.conflicts === 0) {
    note("The document was changed meanwhile, in other places: both changes are kept.");
    return { base: current, text: merged.text };
  }
  const what = `${counted(merged.conflicts, "place")} changed both here and on the server meanwhile`;
  if (!isInteractive()) throw conflict(draft, id, current, what, merged.text);
  const decided = await editAgain(draft, `${what}: decide between the <<<<<<< and >>>>>>> marks.`);
  if (hasConflictMarkers(decided)) throw conflict(draft, id, current, `${what} and nobody decided`, decided);
  return { base: current, text: decided };
}

async function editAgain(draft: Draft, reason: string): Promise<string> {
  note(reason);
  await ask("Press Enter to go back to the editor; Ctrl-C leaves the text in its file. ");
  await runEditor(draft.file);
  return draft.read();
}

function conflict(draft: Draft, id: string, current: Body, what: string, text: string): CommandError {
  note(text.match(/^<{7} [\s\S]*?^>{7} .*$/gm)?.join("\n\n") ?? "");
  return new CommandError(EXIT.conflict, `${what}. Nothing was saved; your text is in ${draft.file}.`, {
    code: "version_conflict",
    next: [`${process.env.EDITOR || "vi"} ${quoted(draft.file)}`, saveCommand(draft, id, current)],
    details: { draft: draft.file, current_version: current.version },
  });
}

const saveCommand = (draft: Draft, id: string, { version }: Body): string =>
  `svc write ${id} ${quoted(draft.file)} --if-match ${version}`;

/** Whatever goes wrong, the message says where the text is and how to save it. */
async function keeping<T>(draft: Draft, id: string, base: Body, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (draft.read() !== base.content) throw keptIn(draft, id, base, error);
    draft.remove();
    throw error;
  }
}

function keptIn(draft: Draft, id: string, base: Body, error: unknown): CommandError {
  const { exitCode, message, code, details } = explainError(error);
  return new CommandError(exitCode, `${message} Your text is in ${draft.file}.`, {
    code,
    next: [saveCommand(draft, id, base)],
    details: { ...details, draft: draft.file },
  });
}
