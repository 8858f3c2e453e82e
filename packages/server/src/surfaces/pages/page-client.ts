import { type Client, createClient } from "@svc/sdk";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/callers/caller.ts";
import { inProcessFetch } from "../../http/callers/in-process-fetch.ts";
import { scopes } from "../../http/callers/scopes.ts";
import type { Viewer } from "./viewer.ts";

/** How the audit log names actions in the browser. */
const BROWSER = { "user-agent": "browser" };

/** The person as a caller of the API: their role decides, and the session takes the token's place. */
const callerOf = (viewer: Viewer): Caller => ({
  isSession: true,
  tokenId: viewer.sessionId,
  tokenName: "browser",
  access: viewer.workspace.role === "viewer" ? "read_only" : "read_write",
  scopes,
  createdAt: 0,
  expiresAt: null,
  userId: viewer.userId,
  email: viewer.email,
  userName: viewer.name,
  workspaceId: viewer.workspace.id,
  workspaceName: viewer.workspace.name,
  role: viewer.workspace.role,
  rights: viewer.rights,
  knowledgeBaseIds: null,
});

/** `fetch` for the API's routes in this process, as the signed-in person. */
export const fetchFor = (request: FastifyRequest, viewer: Viewer): typeof fetch =>
  inProcessFetch(request.server, request, { caller: callerOf(viewer), headers: BROWSER });

/** The API client of a page. For a visitor without a session the API refuses as it does without a token. */
export const pageClient = (request: FastifyRequest, viewer: Viewer | undefined): Client =>
  createClient({
    baseUrl: "http://svc",
    fetch: viewer ? fetchFor(request, viewer) : inProcessFetch(request.server, request),
    retry: { attempts: 1 },
    timeoutMs: 0,
  });
