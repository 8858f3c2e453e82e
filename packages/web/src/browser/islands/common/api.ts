import { ApiError, type Client, ConnectionError, createClient } from "@svc/sdk";
import { at } from "./base-path.ts";

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/** Proves to the server that a request comes from one of its own pages. */
export const formToken = (): string => meta("form-token");

/** Whether the person may create workspace-level items such as a knowledge base. */
export const mayWriteInWorkspace = (): boolean => meta("may-write") === "1";

/** Whether the person may change the element's subject; their role in its knowledge base decides. */
export const mayWriteAt = (shown: Element): boolean =>
  shown.closest<HTMLElement>("[data-may-write]")?.dataset.mayWrite === "1";

/** Whether they may write in any knowledge base of the tree. */
export const mayWriteSomewhere = (): boolean => document.querySelector('[data-tree] > [data-may-write="1"]') !== null;

/** The API client with this page's session. */
export const api: Client = createClient({
  baseUrl: location.origin + at("/app"),
  headers: { "x-form-token": formToken() },
  retry: { attempts: 2 },
  timeoutMs: 30_000,
});

/** Describes an error for people. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return "You have been signed out. Sign in again in another tab, then try again.";
    if (error.status === 404) return "This no longer exists.";
    return error.message;
  }
  if (error instanceof ConnectionError && error.code !== "connection_failed")
    return "The server has not answered in time. It may still complete the request: check before you try again.";
  return "The server cannot be reached. Nothing was changed.";
}
