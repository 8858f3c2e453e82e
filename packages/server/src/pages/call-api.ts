import { apiError } from "../errors.ts";
import type { Answer } from "../http/answer.ts";
import { recordAudit } from "../http/audit.ts";
import { authorise } from "../http/authenticate.ts";
import type { Caller } from "../http/caller.ts";
import { parseIfMatch } from "../http/preconditions.ts";
import type { Input, Route, WriteRoute } from "../http/route.ts";
import { scopes } from "../http/scopes.ts";
import { compileInput } from "../http/validation.ts";
import type { MemberVisit } from "./visit.ts";

interface Call {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly headers?: Record<string, string>;
}

interface Known {
  readonly route: Route;
  readonly check: ReturnType<typeof compileInput>;
}

const BROWSER = { name: "browser", version: null, agent: false };

/**
 * The API's own routes, called without HTTP: the same checks, rights, effects and audit rows, for a person with a
 * session instead of a token. A page asks `has` first where a route may not be there.
 */
export class PageApi {
  readonly #routes = new Map<string, Known>();

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      this.#routes.set(`${route.method} ${route.path}`, { route, check: compileInput(route) });
  }

  /** `GET /documents/{id}` */
  has(name: string): boolean {
    return this.#routes.has(name);
  }

  /** The envelope of the answer; its shape is what the route declares. */
  async call<T>(visit: MemberVisit, name: string, call: Call = {}): Promise<T> {
    const answer = await this.answer(visit, name, call);
    return { ...answer.envelope, ...(answer.dataJson !== undefined && { data: JSON.parse(answer.dataJson) }) } as T;
  }

  async answer(visit: MemberVisit, name: string, call: Call): Promise<Answer> {
    const known = this.#routes.get(name);
    if (!known) throw apiError("not_found", { resource: "path", id: name });
    const { route, check } = known;
    const caller = authorise(route, { caller: callerOf(visit) });
    const input = inputOf(visit, caller, route, call);
    check({ params: input.params, query: input.query, body: input.body, rawBody: undefined });
    const { database } = visit.app;
    if (route.kind === "read") return route.handler({ ...(input as never as ReadInput), db: database.read });
    return runForm(visit, route, input);
  }
}

type AnyInput = Input<Record<string, string>, Record<string, unknown>, unknown>;
type ReadInput = Input<never, never, undefined>;

async function runForm(visit: MemberVisit, route: WriteRoute, input: AnyInput): Promise<Answer> {
  const { database } = visit.app;
  const ready = input as never as Input<never, never, never>;
  const prepared = await route.prepare?.({ ...ready, db: database.read });
  return database.transaction(async (tx) => {
    const answer = await route.handler({ ...ready, tx, prepared });
    const by = { workspaceId: input.caller.workspaceId, userId: input.caller.userId, tokenId: null };
    await recordAudit(tx, by, input.request, route.operation, answer.status ?? 200);
    return answer;
  });
}

/** The person as the routes know callers: their role decides, the session stands for the token. */
const callerOf = ({ viewer }: MemberVisit): Caller => ({
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
});

const inputOf = (visit: MemberVisit, caller: Caller, route: Route, call: Call): AnyInput => ({
  app: visit.app,
  caller,
  params: { ...call.params },
  query: { ...call.query },
  body: call.body,
  ifMatch: parseIfMatch(call.ifMatch),
  request: {
    id: visit.requestId,
    method: route.method,
    path: visit.path,
    address: visit.address,
    baseUrl: visit.baseUrl,
    client: BROWSER,
    headers: { ...call.headers },
  },
  parts: noParts,
  afterwards: () => undefined,
});

/** Forms bring no files. */
async function* noParts(): AsyncGenerator<never> {}
