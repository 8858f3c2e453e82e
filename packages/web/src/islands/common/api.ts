import { ApiError, type Client, ConnectionError, createClient } from "@svc/sdk";
import { at } from "./base-path.ts";

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/** Proves to the server that a request comes from one of its own pages. */
export const formToken = (): string => meta("form-token");

/** Whether the person may make things of the workspace itself, such as a knowledge base. */
export const mayWriteInWorkspace = (): boolean => meta("may-write") === "1";

/** Whether they may change what an element stands for: their role in its knowledge base decides. */
export const mayWriteAt = (shown: Element): boolean =>
  shown.closest<HTMLElement>("[data-may-write]")?.dataset.mayWrite === "1";

/** Whether there is a knowledge base in the tree in which they write. */
export const mayWriteSomewhere = (): boolean => document.querySelector('[data-tree] > [data-may-write="1"]') !== null;

/** The API by the session of this page. */
export const api: Client = createClient({
  baseUrl: location.origin + at("/app"),
  headers: { "x-form-token": formToken() },
  retry: { attempts: 2 },
  timeoutMs: 30_000,
});

/** What went wrong, for people. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return "You have been signed out. Sign in again in another tab, then try again.";
    if (error.status === 404) return "It is no longer there.";
    return error.message;
  }
  if (error instanceof ConnectionError && error.code !== "connection_failed")
    return "The server has not answered in time. It may still do this: look before you try again.";
  return "The server cannot be reached. Nothing was changed.";
}
