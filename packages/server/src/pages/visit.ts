import type { Client } from "@svc/sdk";
import type { Look } from "@svc/web/look";
import type { Page } from "@svc/web/page";
import type { Tx } from "../db/database.ts";
import { apiError, notFound } from "../errors.ts";
import { recordAudit } from "../http/audit.ts";
import { PUBLIC_BODY_BYTES } from "../http/mount.ts";
import { reaches, roleIn, writesSomewhere } from "../rights/rights.ts";
import type { Services } from "../services.ts";
import type { Viewer } from "./viewer.ts";

/** One request of a browser. */
export interface Visit<V = Viewer | undefined> {
  readonly app: Services;
  /** The same for other workspaces of the person: these reads see everything, so whoever uses them looks at the rights. */
  readonly everywhere: Services;
  /** The API, called in the process with the rights of the person. */
  readonly api: Client;
  readonly viewer: V;
  /** Id of the newest event of the viewer's workspace, read before anything else of the page; undefined for a form. */
  readonly newestEvent?: number | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a sent form; empty for a GET. */
  readonly form: URLSearchParams;
  readonly formToken: string;
  readonly path: string;
  readonly address: string;
  readonly userAgent: string;
  /** The mark that this browser kept from signing in, for some account. */
  readonly browserMark: string | undefined;
  /** What this browser keeps while it is at a provider to sign in. */
  readonly flow: string | undefined;
  /** Key of what the last form has left to be said. */
  readonly notice: string | undefined;
  /** How this browser wants pages to look. */
  readonly look: Look;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * A script of an open page reads it again: nobody has gone there. Over plain HTTP browsers do not say what a request is
 * for; there a page that somebody goes to is asked for as HTML.
 */
export const isByScript = ({ headers }: Pick<Visit, "headers">): boolean =>
  headers["sec-fetch-dest"] === undefined
    ? !String(headers.accept ?? "text/html").includes("text/html")
    : headers["sec-fetch-dest"] === "empty";

export type MemberVisit = Visit<Viewer>;

/** A page, a way on, or bytes of another kind. */
export interface Outcome {
  readonly page?: Page;
  readonly status?: number;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A new session's secret, or null to forget the session. */
  readonly session?: string | null;
  /** For the browser to keep: it has signed in to this account. */
  readonly browserMark?: string;
  /** For the browser to keep while it is at a provider to sign in; null to forget it. */
  readonly flow?: string | null;
  /** For the browser to keep: how pages look. */
  readonly look?: Look;
  /** Key of what the next page says, once (web/src/notices.ts). */
  readonly notice?: string;
  readonly raw?: { readonly contentType: string; readonly body: unknown };
}

export const show = (page: Page, status = 200): Outcome => ({ page, status });

/** Where a signed-in person begins. */
export const HOME = "/knowledge-bases";

/** After a form: on to a page, which may say what was done. */
export const goTo = (location: string, notice?: string): Outcome => ({
  status: 303,
  location,
  ...(notice && { notice }),
});

/** What a program asks for has to come back whole after the sign-in, within the 16 KB that the head of a request may have. */
const MOST_NEXT = 6000;

/** Whether one can come back to this path after the sign-in: only a path of ours, never another site. */
export const isLocalPath = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path) && path.length <= MOST_NEXT;

export const localPath = (path: string | null): string => (path !== null && isLocalPath(path) ? path : "/");

export interface PageRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Whether anybody may see it; a page for members is not asked of anybody else. */
  readonly isPublic: boolean;
  /** Its address alone proves that it may be done: it is also sent by programs, without a page of ours. */
  readonly isOneClick?: boolean;
  /** Where somebody is led, without anything being done, who has signed in or out in another tab meanwhile. */
  readonly ifDone?: (visit: Visit) => Outcome | undefined;
  /** Of a form, where it is not what all forms may have. */
  readonly maxBytes?: number;
  readonly handler: (visit: Visit) => Promise<Outcome>;
}

type Handler<V> = (visit: Visit<V>) => Promise<Outcome>;

export const isMember = (visit: Visit): visit is MemberVisit => visit.viewer !== undefined;

/** Only members come this far: `mount-pages.ts` asks everybody else to sign in. */
export const forMembers =
  (handler: Handler<Viewer>): Handler<Viewer | undefined> =>
  (visit) => {
    if (!isMember(visit)) throw new Error("A page for members was asked of somebody who is not signed in.");
    return handler(visit);
  };

/** Pages for members: whoever is not signed in is asked to, and comes back. */
export const get = (path: string, handler: Handler<Viewer>): PageRoute => ({
  method: "GET",
  path,
  isPublic: false,
  handler: forMembers(handler),
});
export const post = (path: string, handler: Handler<Viewer>): PageRoute => ({
  method: "POST",
  path,
  isPublic: false,
  handler: forMembers(handler),
});

/** Pages for anybody. */
export const publicGet = (path: string, handler: Handler<Viewer | undefined>): PageRoute => ({
  method: "GET",
  path,
  isPublic: true,
  handler,
});
export const publicPost = (
  path: string,
  handler: Handler<Viewer | undefined>,
  maxBytes = PUBLIC_BODY_BYTES,
): PageRoute => ({
  method: "POST",
  path,
  isPublic: true,
  handler,
  maxBytes,
});

/** A form that mail programs send by themselves; whatever it does must follow from a signed address. */
export const oneClickPost = (path: string, handler: Handler<Viewer | undefined>): PageRoute => ({
  ...publicPost(path, handler),
  isOneClick: true,
});

/** A form for a new account: a name of 500 characters, each written in up to twelve bytes. */
export const NEW_ACCOUNT_BYTES = 16 * 1024;

/** An id that a form or an address brought; what cannot be one names nothing. */
export function idFrom(text: string | null | undefined, resource: string): string {
  if (!text || !/^[\w.-]{1,128}$/.test(text) || /^\.+$/.test(text)) throw notFound(resource, text ?? "");
  return text;
}

/** The same for ids that are numbers. */
export function numberFrom(text: string | null | undefined, resource: string): number {
  if (!text || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(resource, text ?? "");
  return Number(text);
}

/** The version that a form is based on; what no header can hold is none. */
export function versionFrom(form: URLSearchParams): string {
  const text = form.get("version") ?? "";
  return /^[\x21-\x7e]{1,100}$/.test(text) ? text : "";
}

/** What a viewer may not. */
export const canWrite = ({ viewer }: MemberVisit): boolean => viewer.workspace.role !== "viewer";

/** The person as a holder of rights. */
export const holderOf = ({ viewer }: MemberVisit) => ({
  workspaceId: viewer.workspace.id,
  role: viewer.workspace.role,
  rights: viewer.rights,
});

/** Whether a token of theirs could write anything: in the workspace, or in one of its knowledge bases. */
export const canWriteSomewhere = (visit: MemberVisit): boolean => writesSomewhere(holderOf(visit));

/** The same in one knowledge base. */
export const canWriteIn = ({ viewer }: MemberVisit, knowledgeBaseId: number): boolean =>
  reaches(roleIn({ role: viewer.workspace.role, rights: viewer.rights }, knowledgeBaseId), "editor");

export function requireOwner({ viewer }: MemberVisit): void {
  if (viewer.workspace.role !== "owner") throw apiError("insufficient_role", { role: viewer.workspace.role });
}

/** The same record as the API keeps, for what was done in the browser. */
export const audit = (tx: Tx, visit: MemberVisit, action: string, summary: string, status = 200): Promise<void> =>
  auditAs(tx, visit, { workspaceId: visit.viewer.workspace.id, userId: visit.viewer.userId }, action, summary, status);

/** For a person who is not, or not yet, the viewer of a page. */
export const auditAs = (
  tx: Tx,
  visit: Visit,
  who: { readonly workspaceId: string; readonly userId: string },
  action: string,
  summary: string,
  status = 200,
): Promise<void> =>
  recordAudit(
    tx,
    { ...who, tokenId: null },
    { id: visit.requestId, path: auditPath(visit), client: { name: "browser", version: null, agent: false } },
    { action, status, summary },
  );

/** Links with a secret in them (`/join/…`) are not written down. */
const auditPath = ({ path, params }: Visit): string => (params.token ? path.replace(/\/[^/]*$/, "/…") : path);
