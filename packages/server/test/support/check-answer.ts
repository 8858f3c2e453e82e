import assert from "node:assert/strict";
import { API_PREFIX } from "@svc/server/http/mount";
import type { Route, Success } from "@svc/server/http/route";
import { routes } from "@svc/server/routes";
import { envelopeOf, errorSchema } from "@svc/server/surfaces/openapi/envelopes";
import { errorsOf } from "@svc/server/surfaces/openapi/errors-of";
import { Ajv, type ValidateFunction } from "ajv";

const ajv = new Ajv({ strict: false, allErrors: true });
const checkError = ajv.compile(errorSchema());
const checks = new Map<Success, ValidateFunction | undefined>();

const patternOf = (route: Route) => new RegExp(`^${API_PREFIX}${route.path.replace(/\{\w+\}/g, "[^/]+")}$`);
const patterns = routes.map((route) => ({ route, pattern: patternOf(route) }));

function checkOf(success: Success): ValidateFunction | undefined {
  if (!checks.has(success)) {
    const schema = envelopeOf(success);
    checks.set(success, schema && ajv.compile(schema));
  }
  return checks.get(success);
}

/** Fails when a refusal does not have the form that all refusals have. */
export const checkErrorBody = (body: unknown): void =>
  assert.ok(checkError(body), `not an error body: ${ajv.errorsText(checkError.errors)}`);

/** Fails when an answer is not what its route declares: an undeclared status, code or field. */
export function checkAnswer(method: string, url: string, status: number, body: unknown, headers?: Headers): void {
  const path = url.split("?")[0] ?? "";
  const route = patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route;
  if (!route) return;
  const where = `${method} ${path} → ${status}`;
  if (status >= 400) {
    assert.ok(checkError(body), `${where}: ${ajv.errorsText(checkError.errors)}`);
    const { code } = (body as { error: { code: never } }).error;
    assert.ok(errorsOf(route).includes(code), `${where}: ${code} is not declared`);
    return;
  }
  if (status === 304) return void assert.ok(route.etag, `${where}: 304 is not declared`);
  if (status === 206) return void assert.ok(route.success.ranges, `${where}: 206 is not declared`);
  const success = [route.success, ...(route.success.alternatives ?? [])].find((one) => one.status === status);
  assert.ok(success, `${where}: the status is not declared`);
  const hasEtag = (route.etag === true && success === route.success) || success.headers?.ETag !== undefined;
  if (headers) assert.equal(headers.has("etag"), hasEtag, `${where}: ETag`);
  const check = checkOf(success);
  if (check && body !== undefined) assert.ok(check(body), `${where}: ${ajv.errorsText(check.errors)}`);
}
