import type { FastifyRequest } from "fastify";
import type { ShareRow } from "../../../db/schema/tables/documents.ts";
import { isPassMark, passMark } from "../../../domain/access/shares/token.ts";
import { checkPassword } from "../../../domain/identity/accounts/password.ts";
import { admit, forgive, shareSubjects } from "../../../domain/identity/attempts/slow-down.ts";
import type { Services } from "../../../services.ts";
import { readCookie, writeCookie } from "../cookies.ts";
import { cookieScope } from "../request-visit.ts";

/** Each link has a cookie of its own. */
const cookieName = ({ token_hash }: ShareRow): string => `svc_share_${token_hash.slice(0, 16)}`;

/** Whether the link has no password, or this browser has entered it. */
export function isUnlocked(app: Services, request: FastifyRequest, share: ShareRow): boolean {
  if (share.password_hash === null) return true;
  const mark = readCookie(request.headers.cookie, cookieName(share), cookieScope(request, app));
  return isPassMark(app.secret, share, mark);
}

interface Tried {
  /** Milliseconds until the next attempt; 0 if this one was allowed. */
  readonly waitMs: number;
  /** The cookie to set if the password was right. */
  readonly cookie?: string;
}

/** Counts the attempt before checking it, like a sign-in. */
export async function unlock(
  app: Services,
  request: FastifyRequest,
  share: ShareRow,
  password: string,
): Promise<Tried> {
  const subjects = shareSubjects(share.token_hash, request.ip);
  const waitMs = await admit(app.database, subjects, Date.now());
  if (waitMs > 0) return { waitMs };
  const isRight = share.password_hash === null || (await checkPassword(share.password_hash, password.slice(0, 400)));
  if (!isRight) return { waitMs };
  await forgive(app.database, subjects);
  return { waitMs, cookie: writeCookie(cookieName(share), passMark(app.secret, share), cookieScope(request, app)) };
}
