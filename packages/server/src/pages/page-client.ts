import { type Client, createClient } from "@svc/sdk";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../http/callers/caller.ts";
import { inProcessFetch } from "../http/callers/in-process-fetch.ts";
import { scopes } from "../http/callers/scopes.ts";
import type { Viewer } from "./viewer.ts";

/** How the audit log names what was done in the browser. */
const BROWSER = { "user-agent": "browser" };

/** The person as the API knows callers: their role decides, the session stands for the token. */
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

/** `fetch` of the API's own routes in this process, for the person who is signed in. */
export const fetchFor = (request: FastifyRequest, viewer: Viewer): typeof fetch =>
  inProcessFetch(request.server, request, { caller: callerOf(viewer), headers: BROWSER });

/** The API as a page calls it. A visitor without a session is refused by it like anybody without a token. */
export const pageClient = (request: FastifyRequest, viewer: Viewer | undefined): Client =>
  createClient({
    baseUrl: "http://svc",
    fetch: viewer ? fetchFor(request, viewer) : inProcessFetch(request.server, request),
    retry: { attempts: 1 },
    timeoutMs: 0,
  });
