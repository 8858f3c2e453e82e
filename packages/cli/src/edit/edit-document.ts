import { type Client, isApiError, isConflict, type Suggested, type Written } from "@svc/sdk";
import { ask, isInteractive } from "../ask.ts";
import { type Body, readAnchored, writeMarkdown } from "../bodies.ts";
import { CommandError, failure } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { explainError } from "../explain-error.ts";
import { counted, note, quoted } from "../output.ts";
import { conflictsIn, hasConflictMarkers } from "../text/merge.ts";
import { Draft } from "./draft.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import { editorCommand, runEditor } from "./run-editor.ts";

const labels = { mine: "your edit", base: "as you opened it", theirs: "on the server now" };

/** An edit under way. */
interface Edit {
  readonly client: Client;
  readonly id: string;
  readonly draft: Draft;
  /** The document that the draft was made from. */
  base: Body;
}

/**
 * Lets a person edit a document's body as anchored Markdown and saves it on the version they saw. When somebody else
 * saved meanwhile, both edits are merged; where they touch the same lines, the person decides. The text stays in its
 * draft until the server has it.
 */
export async function editDocument(client: Client, id: string): Promise<Written | Suggested> {
  editorCommand();
  const opened = await readAnchored(client, id);
  const edit: Edit = { client, id, draft: new Draft(id, opened.content), base: opened };
  const { draft } = edit;
  try {
    await runEditor(draft.file);
    const unchanged = draft.read() === opened.content;
    const written = unchanged ? { version: opened.version, changed_block_ids: [] } : await save(edit);
    draft.remove();
    return written;
  } catch (error) {
    const text = draft.read();
    if (text !== opened.content && text.trim() !== "") throw keptIn(edit, error);
    draft.remove();
    throw error;
  }
}

async function save(edit: Edit): Promise<Written | Suggested> {
  while (true) {
    const text = edit.draft.read();
    if (text.trim() === "" && edit.base.content.trim() !== "")
      throw failure("The text is empty, so nothing was saved.", `svc write ${edit.id} --text '' empties the document`);
    try {
      return await writeMarkdown(edit.client, edit.id, text, edit.base.version);
    } catch (error) {
      if (isConflict(error)) await merge(edit, text);
      else if (isApiError(error) && error.status === 422 && isInteractive())
        await editAgain(edit, explainError(error).message);
      else throw error;
    }
  }
}

/** Puts both edits into the draft, as one text on the server's newest version; undecided places go to the person. */
async function merge(edit: Edit, text: string): Promise<void> {
  const current = await readAnchored(edit.client, edit.id);
  const merged = mergeBlocks(edit.base.content, text, current.content, labels);
  edit.draft.write(merged.text);
  edit.base = current;
  if (merged.conflicts === 0)
    return note("The document was changed meanwhile, in other places or other words: both changes are kept.");
  const what = `${counted(merged.conflicts, "place")} changed both here and on the server meanwhile`;
  if (isInteractive()) await editAgain(edit, `${what}: decide between the <<<<<<< and >>>>>>> marks.`);
  const left = edit.draft.read();
  if (!hasConflictMarkers(left)) return;
  note(conflictsIn(left).join("\n\n"));
  throw new CommandError(EXIT.conflict, `${what}. Nothing was saved.`, {
    code: "version_conflict",
    details: { current_version: current.version },
  });
}

async function editAgain({ draft }: Edit, reason: string): Promise<void> {
  note(reason);
  await ask("Press Enter to go back to the editor; Ctrl-C leaves the text in its file. ");
  await runEditor(draft.file);
}

/** Whatever went wrong, the message says where the text is, and how to save it. */
function keptIn({ draft, id, base }: Edit, error: unknown): CommandError {
  const { exitCode, message, code, details } = explainError(error);
  const look = exitCode === EXIT.conflict ? [`${editorCommand()} ${quoted(draft.file)}`] : [];
  return new CommandError(exitCode, `${message} Your text is in ${draft.file}.`, {
    code,
    next: [...look, `svc write ${id} ${quoted(draft.file)} --if-match ${base.version}`],
    details: { ...details, draft: draft.file },
  });
}
