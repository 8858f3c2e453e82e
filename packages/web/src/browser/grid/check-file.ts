/** Signatures and places in a ZIP archive, as its specification (APPNOTE) numbers them. */
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
/** Marks a number that is stored elsewhere, in archives of many gigabytes. */
const ELSEWHERE = 0xffffffff;
const DEFLATED = 8;

const worksheetPath = /^xl\/worksheets\/[^/]+\.xml$/;
/** A value, a text or a formula of a cell: `v`, `is`, `f`. Cells without any are only formatted. */
const filledCell = /<(?:\w+:)?(?:v|is|f)[\s>]/;

interface Entry {
  readonly path: string;
  readonly isDeflated: boolean;
  readonly length: number;
  /** The offset of its own header. */
  readonly at: number;
}

/** The reason to reject a file, for people. Undefined if the server should read it. */
export async function fileProblem(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const empty = `${name} is empty. Nothing was changed.`;
  if (typeof content === "string") return /[^\s,;"\ufeff]/.test(content) ? undefined : empty;
  if (content.length === 0) return empty;
  try {
    return (await holdsCells(content)) ? undefined : empty;
  } catch {
    return `${name} is no spreadsheet file that can be read: it is neither XLSX nor CSV, or it is damaged.`;
  }
}

/** Throws if the file is not an archive. An archive without worksheets in their usual place is left to the server. */
async function holdsCells(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const worksheets = entriesOf(bytes).filter(({ path }) => worksheetPath.test(path));
  if (worksheets.some(({ at, length }) => at === ELSEWHERE || length === ELSEWHERE)) return true;
  for (const entry of worksheets) if (filledCell.test(await textOf(bytes, entry))) return true;
  return worksheets.length === 0;
}

function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer);
  const end = endOfDirectory(view);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  if (at === ELSEWHERE) return [];
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new RangeError("no entry where one should be");
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      path: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      isDeflated: view.getUint16(at + 10, true) === DEFLATED,
      length: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The last record of an archive, except for a comment. */
function endOfDirectory(view: DataView): number {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw new RangeError("no end of a directory");
}

function textOf(bytes: Uint8Array<ArrayBuffer>, { at, length, isDeflated }: Entry): Promise<string> {
  const view = new DataView(bytes.buffer);
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const packed = new Blob([bytes.subarray(start, start + length)]);
  if (!isDeflated) return packed.text();
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}
