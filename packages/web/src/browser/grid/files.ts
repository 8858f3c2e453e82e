import { confirmLoss } from "../editor/suggest/confirm.ts";
import { api } from "../islands/common/api.ts";
import { attempt, toast } from "../islands/common/toast.ts";
import { fileProblem } from "./check-file.ts";

/** The ways out of and into the sheets. Who may not write has no field for files. */
export function bindFiles(part: HTMLElement, documentId: string, onReplaced: () => void): void {
  part.hidden = false;
  const input = part.querySelector<HTMLInputElement>("input[type=file]");
  input?.addEventListener("change", () => {
    const [file] = input.files ?? [];
    input.value = "";
    if (file) void attempt(() => takeFile(documentId, file, onReplaced));
  });
}

/** Brings a CSV or XLSX file in, in the place of what is there. Undo does not reach that, so it is asked for. */
async function takeFile(id: string, file: File, onReplaced: () => void): Promise<void> {
  const isCsv = /\.(csv|tsv|txt)$/i.test(file.name);
  const content = isCsv ? await file.text() : new Uint8Array(await file.arrayBuffer());
  const problem = await fileProblem(file.name, content);
  if (problem !== undefined) {
    toast(problem);
    return;
  }
  const isReplacing = await holdsSomething(id);
  const question = `Replace everything in this spreadsheet, all of its sheets, with ${file.name}? Undo cannot bring it back, but Versions can.`;
  if (isReplacing && !(await confirmLoss(question, "Keep the spreadsheet", "Replace it"))) return;
  toast(`Importing ${file.name}…`);
  await bringIn(id, content);
  if (isReplacing) onReplaced();
  toast(`${file.name} is in the spreadsheet.${isReplacing ? " What was there before is under Versions." : ""}`);
}

async function holdsSomething(id: string): Promise<boolean> {
  const { data } = await api.get("/documents/{id}/spreadsheet", { path: { id }, query: { live: true } });
  return data.sheets.some(
    ({ values, formulas, has_more }) =>
      has_more || Object.keys(formulas).length > 0 || values.some((row) => row.some((text) => text !== "")),
  );
}

async function bringIn(id: string, content: string | Uint8Array): Promise<void> {
  const { data } = await api.get("/documents/{id}", { path: { id } });
  await api.put("/documents/{id}/spreadsheet", {
    path: { id },
    ifMatch: data.version,
    // A long file takes as long as it takes.
    timeoutMs: 0,
    body: typeof content === "string" ? { format: "csv", content } : { format: "xlsx", content: base64(content) },
  });
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
