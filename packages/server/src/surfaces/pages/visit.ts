import type { Client } from "@svc/sdk";
import type { Look } from "@svc/web/shared/look";
import type { Page } from "@svc/web/shared/page";
import type { Tx } from "../../db/database.ts";
import { ApiError, apiError, notFound } from "../../errors.ts";
import { recordAudit } from "../../http/audit.ts";
import { BROWSER } from "../../http/callers/caller.ts";
import { PUBLIC_BODY_BYTES } from "../../http/mount.ts";
import { reaches, roleIn, writesSomewhere } from "../../rights/rights.ts";
import type { CallerServices, Services } from "../../services.ts";
import type { Viewer } from "./viewer.ts";

/** One request of a browser. */
export interface Visit<V = Viewer | undefined> {
  readonly app: CallerServices;
  /**
   * Services without the viewer's restrictions, for the person's other workspaces: callers must check rights
   * themselves.
   */
  readonly everywhere: Services;
  /** The API, called in this process with the person's rights. */
  readonly api: Client;
  readonly viewer: V;
  /** Id of the newest event in the viewer's workspace, read before anything else on the page; undefined for a form. */
  readonly newestEvent?: number | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for a GET. */
  readonly form: URLSearchParams;
  readonly formToken: string;
  readonly path: string;
  readonly address: string;
  readonly userAgent: string;
  /** The mark that this browser has kept since an earlier sign-in to any account. */
  readonly browserMark: string | undefined;
  /** The cookie of a sign-in in progress at a provider. */
  readonly flow: string | undefined;
  /** The key of the last form's notice. */
  readonly notice: string | undefined;
  /** How this browser displays pages. */
  readonly look: Look;
  /** The version of the font that an earlier page made this browser load. */
  readonly fontVersion: string | undefined;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Whether a script of an open page makes the request, instead of a navigation. Over plain HTTP browsers do not state
 * the purpose of a request; there a navigation asks for HTML.
 */
export const isByScript = ({ headers }: Pick<Visit, "headers">): boolean =>
  headers["sec-fetch-dest"] === undefined
    ? !String(headers.accept ?? "text/html").includes("text/html")
    : headers["sec-fetch-dest"] === "empty";

export type MemberVisit = Visit<Viewer>;

/** A page, a redirect, or other bytes. */
export interface Outcome {
  readonly page?: Page;
  readonly status?: number;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The secret of a new session, or null to forget the session. */
  readonly session?: string | null;
  /** The mark to keep in the browser: it has signed in to this account. */
  readonly browserMark?: string;
  /** The cookie to keep during a sign-in at a provider; null to forget it. */
  readonly flow?: string | null;
  /** The look to keep in the browser. */
  readonly look?: Look;
  /** The key of a notice that the next page shows once (web/src/server/notices.ts). */
  readonly notice?: string;
  readonly raw?: { readonly contentType: string; readonly body: unknown };
}

export const show = (page: Page, status = 200): Outcome => ({ page, status });

/** The start page of a signed-in person. */
export const HOME = "/knowledge-bases";

/** Redirects after a form, with an optional notice on the next page. */
export const goTo = (location: string, notice?: string): Outcome => ({
  status: 303,
  location,
  ...(notice && { notice }),
});

/** Max length of the address to return to after the sign-in. Request heads are limited to 16 KB. */
const MAX_NEXT = 6000;

/** Whether a path is safe to return to after the sign-in: a path of this site, never another site. */
export const isLocalPath = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path) && path.length <= MAX_NEXT;

export const localPath = (path: string | null): string => (path !== null && isLocalPath(path) ? path : "/");

export interface PageRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Whether anybody may see it; other pages are for members only. */
  readonly isPublic: boolean;
  /** Whether the address alone proves permission: mail programs send this form too, without opening a page. */
  readonly isOneClick?: boolean;
  /** Redirects a person who has since signed in or out in another tab, instead of running the action. */
  readonly ifDone?: (visit: Visit) => Outcome | undefined;
  /** Max size of this form, if it differs from that of all forms. */
  readonly maxBytes?: number;
  readonly handler: (visit: Visit) => Promise<Outcome>;
}

type Handler<V> = (visit: Visit<V>) => Promise<Outcome>;

export const isMember = (visit: Visit): visit is MemberVisit => visit.viewer !== undefined;

/** Narrows the visit to a member: `mount-pages.ts` has already asked everybody else to sign in. */
export const forMembers =
  (handler: Handler<Viewer>): Handler<Viewer | undefined> =>
  (visit) => {
    if (!isMember(visit)) throw new Error("A page for members was asked of somebody who is not signed in.");
    return handler(visit);
  };

/** A page for members: others are asked to sign in and then return. */
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

/** A page for anybody. */
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

/** A form that mail programs submit; a signed address must authorize everything it does. */
export const oneClickPost = (path: string, handler: Handler<Viewer | undefined>): PageRoute => ({
  ...publicPost(path, handler),
  isOneClick: true,
});

/** The result of a read; undefined if its subject does not exist, or not for this viewer. */
export const unlessMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });

/** The size of a form for a new account: a name of 500 characters, up to twelve bytes each. */
export const NEW_ACCOUNT_BYTES = 16 * 1024;

/** An id from a form or an address; throws "not found" for a malformed one. */
export function idFrom(text: string | null | undefined, resource: string): string {
  if (!text || !/^[\w.-]{1,128}$/.test(text) || /^\.+$/.test(text)) throw notFound(resource, text ?? "");
  return text;
}

/** A numeric id from a form or an address; throws "not found" for a malformed one. */
export function numberFrom(text: string | null | undefined, resource: string): number {
  if (!text || !/^[1-9]\d{0,14}$/.test(text)) throw notFound(resource, text ?? "");
  return Number(text);
}

/** The version that a form is based on; empty if it is not valid in a header. */
export function versionFrom(form: URLSearchParams): string {
  const text = form.get("version") ?? "";
  return /^[\x21-\x7e]{1,100}$/.test(text) ? text : "";
}

/** Whether the viewer may write, by their role in the workspace. */
export const canWrite = ({ viewer }: MemberVisit): boolean => viewer.workspace.role !== "viewer";

/** The person as a holder of rights, in the form that queries take. */
export const holderOf = ({ viewer }: MemberVisit) => ({
  workspaceId: viewer.workspace.id,
  userId: viewer.userId,
  role: viewer.workspace.role,
  rights: viewer.rights,
});

/** Whether a token of the viewer could write in the workspace or in any knowledge base. */
export const canWriteSomewhere = (visit: MemberVisit): boolean => writesSomewhere(holderOf(visit));

/** Whether the viewer may write in a knowledge base. */
export const canWriteIn = ({ viewer }: MemberVisit, knowledgeBaseId: number): boolean =>
  reaches(roleIn({ role: viewer.workspace.role, rights: viewer.rights }, knowledgeBaseId), "editor");

export function requireOwner({ viewer }: MemberVisit): void {
  if (viewer.workspace.role !== "owner") throw apiError("insufficient_role", { role: viewer.workspace.role });
}

/** Writes the audit entry that the API would, for an action in the browser. */
export const audit = (tx: Tx, visit: MemberVisit, action: string, summary: string, status = 200): Promise<void> =>
  auditAs(tx, visit, { workspaceId: visit.viewer.workspace.id, userId: visit.viewer.userId }, action, summary, status);

/** Writes an audit entry for a person who is not, or not yet, the viewer. */
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
    { id: visit.requestId, path: auditPath(visit), client: BROWSER },
    { action, status, summary },
  );

/** Links that contain a secret (`/join/…`) are not recorded. */
const auditPath = ({ path, params }: Visit): string => (params.token ? path.replace(/\/[^/]*$/, "/…") : path);
