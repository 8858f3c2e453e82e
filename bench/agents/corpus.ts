import type { Client } from "../../packages/server/test/support/client.ts";

/** Pages of the base that the tasks are done in: five folders of sixty. */
export const FOLDERS = ["Engineering", "Operations", "Product", "People", "Finance"] as const;
const PER_FOLDER = 60;

const WORDS =
  "service index backup region window ledger budget review release customer contract payroll storage queue shard alert rollout policy invoice mentor".split(
    " ",
  );
const word = (n: number): string => WORDS[(n * 7 + (n >> 3)) % WORDS.length]!;
const sentence = (n: number, length = 14): string => {
  const words = Array.from({ length }, (_, i) => word(n * 31 + i * 3));
  const text = words.join(" ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
};

export const titleOf = (folder: string, n: number): string => `${folder} page ${n}`;

function pageText(folder: (typeof FOLDERS)[number], n: number): string {
  const seed = FOLDERS.indexOf(folder) * 1000 + n;
  return [
    sentence(seed, 18),
    "## Purpose",
    `${sentence(seed + 1)} ${sentence(seed + 2)}`,
    "## Rules",
    `- ${sentence(seed + 3, 8)}\n- ${sentence(seed + 4, 8)}\n- ${sentence(seed + 5, 8)}`,
    "## Details",
    ...Array.from(
      { length: 6 },
      (_, i) => `${sentence(seed + 6 + i)} ${sentence(seed + 20 + i)} ${sentence(seed + 40 + i)}`,
    ),
  ].join("\n\n");
}

const FACT = "Audit rows of zebrafish tenants are kept for 90 days.";
export const CITED = [
  "Quokka nodes restart at dawn.",
  "Quokka nodes never share a disk.",
  "Quokka nodes answer within a second.",
];

/** Texts that stand apart from the rest, by title. */
const special: Readonly<Record<string, string>> = {
  "Engineering page 7": `Retention of logs and rows.\n\n## Retention\n\n${FACT}\n\nOther rows stay for a year.`,
  "Operations page 3": `Nodes of the cluster.\n\n## Nodes\n\n${CITED.join("\n\n")}`,
  "Finance page 9": `Prices by part.\n\n| part | price | unit |\n| --- | --- | --- |\n${Array.from({ length: 200 }, (_, i) => `| part-${i} | ${i * 3 + 11} | piece |`).join("\n")}`,
  "Product page 1": `The long handbook.\n\n${Array.from({ length: 200 }, (_, i) => `## Chapter ${i}\n\n${Array.from({ length: 4 }, (_, k) => Array.from({ length: 4 }, (_, m) => sentence(i * 50 + k * 5 + m, 12)).join(" ")).join("\n\n")}`).join("\n\n")}`,
};

/** Every page of the base. */
export function* pages(): Generator<{ readonly folder: string; readonly title: string; readonly text: string }> {
  for (const folder of FOLDERS)
    for (let n = 1; n <= PER_FOLDER; n++) {
      const title = titleOf(folder, n);
      yield { folder, title, text: special[title] ?? pageText(folder, n) };
    }
}

export interface Corpus {
  readonly knowledgeBaseId: number;
  readonly folderIds: ReadonlyMap<string, number>;
  readonly ids: ReadonlyMap<string, string>;
}

/** Makes the base over HTTP and tells the ids by title. */
export async function makeCorpus(client: Client): Promise<Corpus> {
  const { data: base } = await client.post("/knowledge-bases", { name: "Company" });
  const folderIds = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const name of FOLDERS) {
    const { data } = await client.post("/folders", { name, knowledge_base_id: base.id, parent_id: null });
    folderIds.set(name, data.id);
  }
  for (const { folder, title, text } of pages()) {
    const place = { knowledge_base_id: base.id, folder_id: folderIds.get(folder) };
    const made = await client.post("/documents", { title, ...place, content: { format: "markdown", content: text } });
    ids.set(title, made.data.id);
  }
  return { knowledgeBaseId: base.id, folderIds, ids };
}
