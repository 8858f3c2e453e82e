import { defined } from "@svc/document/defined";

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** A profile as the inspector writes it. Times are microseconds. */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame; readonly children?: number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const NOT_WORK = new Set(["(idle)", "(program)", "(root)", "post"]);

/** The parts of the server, by where their code is. Of a stack the innermost frame that fits one counts. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["SQL", /server\/src\/db\/|node:sqlite|node_modules\/(kysely|pg[\w-]*)\//],
  ["diff", /document\/src\/(diff|match|merge3|longest|markdown\/(anchors|reconcile|restyle|keep-inline))|changed-ids/],
  ["segments", /document\/src\/(markdown\/(serialise|inline-runs|escape)|html\/|canonical)|server\/src\/bodies\//],
  [
    "parse",
    /document\/src\/(markdown|schema)\/|node_modules\/(markdown-it|linkify-it|entities|mdurl|uc\.micro)|parse-\w+\.ts/,
  ],
  ["index", /packages\/search\/|views\/search\//],
  [
    "other views",
    /server\/src\/(views|events|jobs|background|resources\/(changes|relations|notifications|comments))\//,
  ],
  [
    "HTTP",
    /server\/src\/(http|rights)\/|node:_http|node:net|node:http|node:internal\/stream|node_modules\/(fastify|find-my-way)/,
  ],
];
export const PART_NAMES = ["HTTP", "parse", "diff", "segments", "index", "SQL", "other views", "collector", "the rest"];

const whereOf = ({ functionName, url, lineNumber }: CallFrame): string => {
  const file = url.split("/").slice(-6).join("/");
  return `${functionName || "(anonymous)"} ${file}${file ? `:${lineNumber + 1}` : ""}`;
};

export interface Times {
  /** Microseconds by part, and of each function alone. */
  readonly parts: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  readonly total: number;
}

export function timesOf({ nodes, samples, timeDeltas }: Profile): Times {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partOfNode = new Map<number, string>();
  const partOf = (id: number): string => {
    const known = partOfNode.get(id);
    if (known) return known;
    const where = whereOf(defined(byId.get(id)).callFrame);
    const parent = parents.get(id);
    const own = where.startsWith("(garbage") ? "collector" : PARTS.find(([, place]) => place.test(where))?.[0];
    const part = own ?? (parent === undefined ? "the rest" : partOf(parent));
    partOfNode.set(id, part);
    return part;
  };
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  samples.forEach((id, i) => {
    const { callFrame } = defined(byId.get(id));
    if (NOT_WORK.has(callFrame.functionName)) return;
    const time = defined(timeDeltas[i]);
    const where = whereOf(callFrame);
    functions.set(where, (functions.get(where) ?? 0) + time);
    parts.set(partOf(id), (parts.get(partOf(id)) ?? 0) + time);
    total += time;
  });
  return { parts, functions, total };
}
