import { setWatching, type Watched } from "@svc/sdk";
import type { Watch } from "@svc/web/server/pages/discussion/watch";
import { findWatch } from "../../../notify/queries.ts";
import { goTo, idFrom, type MemberVisit, numberFrom, type Outcome, post } from "../visit.ts";

const paths = { document: "/documents", folder: "/folders", knowledge_base: "/knowledge-bases" } as const;
const pathOf = ({ kind, id }: Watched): string => `${paths[kind]}/${id}`;

/** The Watch button for this viewer. */
export async function readWatch(visit: MemberVisit, watched: Watched): Promise<Watch> {
  const target = { workspace_id: visit.viewer.workspace.id, kind: watched.kind, target_id: String(watched.id) };
  const row = await findWatch(visit.app.database.read, target, visit.viewer.userId);
  return { action: `${pathOf(watched)}/watch`, isOn: row !== undefined, formToken: visit.formToken };
}

async function change(visit: MemberVisit, watched: Watched): Promise<Outcome> {
  const isOn = visit.form.get("watching") === "1";
  await setWatching(visit.api, watched, isOn);
  return goTo(pathOf(watched), isOn ? "watching" : "not-watching");
}

export const watchPages = [
  post("/documents/:id/watch", (visit) => change(visit, { kind: "document", id: idFrom(visit.params.id, "document") })),
  post("/folders/:id/watch", (visit) => change(visit, { kind: "folder", id: numberFrom(visit.params.id, "folder") })),
  post("/knowledge-bases/:id/watch", (visit) =>
    change(visit, { kind: "knowledge_base", id: numberFrom(visit.params.id, "knowledge_base") }),
  ),
];
