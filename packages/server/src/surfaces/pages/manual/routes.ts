import { type ManualFrame, manualPage, manualSearchPage } from "@svc/web/server/pages/manual/manual";
import { searchManual } from "@svc/web/shared/manual-search";
import { notFound } from "../../../errors.ts";
import { once } from "../../openapi/once.ts";
import { type Outcome, publicGet, show, type Visit } from "../visit.ts";
import { manualFolder, readPicture } from "./files.ts";
import { makeManual } from "./manual.ts";

const folder = once(() => manualFolder());

const address = (name: string, slug?: string): string =>
  `/docs${name && `/${name}`}${slug ? `#${encodeURIComponent(slug)}` : ""}`;

const picture = (path: string): string => `/docs/pictures/${encodeURIComponent(path.replace(/^docs\//, ""))}`;

const manual = once(() => {
  const found = folder();
  return found === undefined ? undefined : makeManual(found, { page: address, picture });
});

function requireManual(visit: Visit) {
  const found = manual();
  if (!found) throw notFound("page", visit.path);
  return found;
}

const frameOf = (visit: Visit, here: string | undefined, q = ""): ManualFrame => ({
  groups: requireManual(visit).groups,
  here,
  q,
  address,
  back: visit.viewer ? { href: "/knowledge-bases", title: "Knowledge bases" } : { href: "/", title: "svc" },
});

async function showPage(visit: Visit): Promise<Outcome> {
  const name = visit.params.page ?? "";
  const q = (visit.query.get("q") ?? "").trim().slice(0, 200);
  const { pages, sections } = requireManual(visit);
  if (q !== "") return show(manualSearchPage(frameOf(visit, undefined, q), searchManual(sections, q)));
  const page = pages.find((one) => one.name === name);
  if (!page) throw notFound("page", name);
  return show(manualPage({ ...page, frame: frameOf(visit, name) }));
}

async function sendPicture(visit: Visit): Promise<Outcome> {
  const name = visit.params.picture ?? "";
  const found = folder();
  const body = found === undefined ? undefined : readPicture(found, `docs/${name}`);
  if (!body) throw notFound("picture", name);
  return { raw: { contentType: "image/png", body } };
}

/** The documentation of this release, made from the Markdown of the repository. */
export const manualPages = [
  publicGet("/docs", showPage),
  publicGet("/docs/", showPage),
  publicGet("/docs/:page", showPage),
  publicGet("/docs/pictures/:picture", sendPicture),
];
