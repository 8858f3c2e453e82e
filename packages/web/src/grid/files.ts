import { api, explain } from "../islands/shell/api.ts";
import { toast } from "../islands/shell/toast.ts";

/** Brings a CSV or XLSX file in, in the place of what is there; the versions keep that. */
export function bindFiles(part: HTMLElement, documentId: string): void {
  part.hidden = false;
  const input = part.querySelector<HTMLInputElement>("input[type=file]");
  input?.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    try {
      await bringIn(documentId, file);
      toast(`${file.name} is in the spreadsheet. The versions have what was there before.`);
    } catch (error) {
      toast(explain(error));
    }
  });
}

async function bringIn(id: string, file: File): Promise<void> {
  const isCsv = /\.(csv|tsv|txt)$/i.test(file.name);
  const content = isCsv ? await file.text() : base64(new Uint8Array(await file.arrayBuffer()));
  const { etag } = await versionOf(id);
  await api.put("/documents/{id}/spreadsheet", {
    path: { id },
    ifMatch: etag,
    body: { format: isCsv ? "csv" : "xlsx", content },
  });
}

const versionOf = async (id: string): Promise<{ readonly etag: string }> => {
  const { data } = await api.get("/documents/{id}", { path: { id } });
  return { etag: data.version };
};

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
