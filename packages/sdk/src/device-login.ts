import type { Client } from "./client.ts";
import { ConnectionError, isApiError } from "./errors.ts";
import type { DeviceCode, DeviceToken } from "./generated/api.ts";
import { sleep } from "./time.ts";

export interface DeviceLogin {
  /** Shown to the person who confirms. */
  readonly clientName: string;
  readonly access?: "read_write" | "read_only" | undefined;
  /** Show the person `verification_uri_complete`, or `user_code` to type at `verification_uri`. */
  readonly onCode: (code: DeviceCode) => void | Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

const SLOWER_S = 5;

/**
 * Gets a token that a person confirms in a browser; the client needs none. Throws `ApiError` with `access_denied` when
 * the person refuses and `expired_token` when nobody confirms in time.
 */
export async function loginWithDevice(client: Client, login: DeviceLogin): Promise<DeviceToken> {
  const { signal } = login;
  const begin = { client_name: login.clientName, scopes: login.access ?? "read_write" } as const;
  const { data: code } = await client.post("/auth/device/code", { body: begin, signal });
  await login.onCode(code);
  const deadline = Date.now() + code.expires_in * 1000;
  for (let interval = code.interval; ; ) {
    await sleep(interval * 1000, signal);
    try {
      const body = { device_code: code.device_code };
      // Without a token there is no idempotency key, and a code is exchanged once: the loop itself asks again.
      return (await client.post("/auth/device/token", { body, signal, retry: { attempts: 1 } })).data;
    } catch (error) {
      if (isApiError(error, "slow_down")) interval = Math.max(interval + SLOWER_S, (error.retryAfterMs ?? 0) / 1000);
      else if (!mayPass(error) || Date.now() > deadline) throw error;
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (isApiError(error) && (error.code === "authorization_pending" || error.status >= 429));
