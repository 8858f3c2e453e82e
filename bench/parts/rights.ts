import { drawWords, realArticles } from "../corpus/real-text.ts";
import { randomFrom } from "../corpus/text.ts";
import { Api } from "../harness/api.ts";
import { compare } from "../harness/compare.ts";
import { type Running, runCommand, SVC_SERVER, startServer } from "../harness/processes.ts";
import type { Run } from "../harness/run.ts";
import { type DatabaseKind, makeStore, type Store } from "../harness/store.ts";
import { CONNECTIONS, cellOf, least, round, side } from "./operation.ts";

const EMAIL = "bob@example.com";
const QUERIES = 200;
/** At most 1.3 times the cost. */
const GOAL = least(1 / 1.3);

/** A store in which a member sees half of the knowledge bases, and a workspace's owner all of them. */
interface Shared {
  readonly store: Store;
  readonly svc: Running;
  readonly owner: Api;
  readonly member: Api;
  readonly open: readonly number[];
  readonly texts: readonly string[];
}

async function memberOf({ settings }: Store, svc: Running, owner: Api): Promise<Api> {
  const { workspace } = await owner.data("GET", "/api/v1/me");
  const password = ["--password", "correct horse battery"];
  const place = ["--workspace", workspace.id, "--role", "editor"];
  await runCommand(settings, "users", "create", "--email", EMAIL, "--name", "Bob", ...password, ...place);
  const { token } = await runCommand(settings, "tokens", "create", "--email", EMAIL, "--access", "read_write");
  return new Api(svc.address, { authorization: `Bearer ${token}`, "user-agent": "bench/1.0 (Bench)" });
}

async function makeShared(kind: DatabaseKind, count: number): Promise<Shared> {
  const store = await makeStore(kind);
  const svc = await startServer(SVC_SERVER, { ...store.settings, SVC_MAX_KNOWLEDGE_BASES: String(2 * count) });
  const owner = new Api(svc.address, store.headers);
  const member = await memberOf(store, svc, owner);
  const made = await owner.each(count, (i) => ({
    method: "POST",
    path: "/api/v1/knowledge-bases",
    body: { name: `Base ${i}` },
  }));
  const bases = made.map((answer): number => JSON.parse(answer).data.id);
  const texts = realArticles(2 * count, 7);
  await owner.each(texts.length, (i) => ({
    method: "POST",
    path: "/api/v1/documents",
    body: {
      title: `Document ${i}`,
      knowledge_base_id: bases[i % count],
      content: { format: "markdown", content: texts[i] },
    },
  }));
  const isPrivate = (_: number, i: number) => i % 2 === 1;
  const hidden = bases.filter(isPrivate);
  await owner.each(hidden.length, (i) => ({
    method: "PUT",
    path: `/api/v1/knowledge-bases/${hidden[i]}/access`,
    headers: { "if-match": "*" },
    body: { default_role: "none", members: [], groups: [] },
  }));
  const open = bases.filter((base, i) => !isPrivate(base, i));
  await store.analyze();
  return { store, svc, owner, member, open, texts };
}

/** Paths of the API that both ask for in turns. */
const works: readonly { readonly name: string; readonly paths: (shared: Shared) => readonly string[] }[] = [
  {
    name: "search, 200 words in turns",
    paths: ({ texts }) =>
      drawWords(texts, QUERIES, randomFrom(13)).map((word) => `search/v2?q=${encodeURIComponent(word)}&limit=25`),
  },
  { name: "list of documents", paths: () => ["documents?limit=50"] },
  { name: "list of knowledge bases", paths: () => ["knowledge-bases?limit=50"] },
  { name: "what is in a knowledge base", paths: ({ open }) => open.map((id) => `knowledge-bases/${id}/children`) },
];

/** Measures rights per knowledge base: a member who sees half of them against an owner, to whom none apply. */
export async function measureRights(run: Run, kind: DatabaseKind): Promise<void> {
  const part = `rights-${kind}`;
  const wanted = works.filter(({ name }) => run.wants(part, name));
  if (wanted.length === 0) return;
  const count = Math.max(2, run.scale.documents / 2);
  run.say(`${part}: ${count} knowledge bases, every second one private`);
  const shared = await makeShared(kind, count);
  const { svc, owner, member, store } = shared;
  try {
    for (const { name, paths } of wanted) {
      const requests = (api: Api) =>
        round(paths(shared).map((path) => api.bytes({ method: "GET", path: `/api/v1/${path}` })));
      const [all, half] = [side(svc, requests(owner)), side(svc, requests(member))];
      const found = await compare(all, half, CONNECTIONS, run.effort(300, 2000));
      const against = "the same by an owner, to whom no rights apply";
      const bound = "the rows of what the caller may not see are left out by each statement";
      run.row({ part, operation: name, against, unit: "req/s", cells: found.map(cellOf), goal: GOAL, bound });
      svc.clearLog();
    }
  } finally {
    await svc.stop();
    await store.remove();
  }
}
