import { ApiError, type Client, createClient } from "@svc/sdk";
import { at } from "./base-path.ts";

const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/** Proves to the server that a request comes from one of its own pages. */
export const formToken = (): string => meta("form-token");

/** Whether the person may change things in this workspace. */
export const mayWrite = (): boolean => meta("may-write") === "1";

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
  return "The server cannot be reached. Nothing was changed.";
}
