import { ok } from "../../../http/answer.ts";
import { recordAudit } from "../../../http/audit.ts";
import { NO_STORE } from "../../../http/base-url.ts";
import { post, type Route } from "../../../http/route.ts";
import { exchangeDevice, pollDevice } from "./poll-device.ts";
import { DeviceCode, DevicePoll, DeviceToken, NewDeviceCode } from "./schema.ts";
import { EXPIRES_IN, INTERVAL, startDeviceLogin } from "./start-device-login.ts";

export const deviceRoutes: Route[] = [
  post({
    operation: "start_device_login",
    path: "/auth/device/code",
    tag: "Device authorisation",
    summary: "Begin a login that a person confirms in a browser.",
    description:
      "Show the person `user_code` and `verification_uri`, or open `verification_uri_complete` for them; then poll `/auth/device/token`.",
    scopes: "public",
    access: { action: "sign_in", subject: "workspace" },
    body: NewDeviceCode,
    bodyExample: { client_name: "Notes for the terminal", scopes: "read_write" },
    success: {
      status: 200,
      description: "A pair of codes.",
      data: DeviceCode,
      example: {
        device_code: "5sTn3ZK0uVYk0o2E8pC1rQ7hXwJ9mLbD4fGaNiRtPzU",
        user_code: "BCDF-GHJK",
        verification_uri: "https://svc.example.com/device",
        verification_uri_complete: "https://svc.example.com/device?code=BCDF-GHJK",
        expires_in: 600,
        interval: 5,
      },
    },
    handler: async ({ tx, body, request }) => {
      const { deviceCode, userCode } = await startDeviceLogin(
        tx,
        body.client_name,
        body.scopes ?? "read_write",
        request.address,
      );
      const page = `${request.baseUrl}/device`;
      const codes = {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: EXPIRES_IN,
        interval: INTERVAL,
      };
      return ok(codes, { headers: NO_STORE });
    },
  }),
  post({
    operation: "poll_device_login",
    path: "/auth/device/token",
    tag: "Device authorisation",
    summary: "Fetch the token once the person has confirmed.",
    description:
      "Before that it is `authorization_pending`; polls closer together than `interval` are `slow_down` with `Retry-After`. A code gives one token, once; afterwards, and after it ran out, it is `expired_token`.",
    scopes: "public",
    access: { action: "sign_in", subject: "workspace" },
    body: DevicePoll,
    bodyExample: { device_code: "5sTn3ZK0uVYk0o2E8pC1rQ7hXwJ9mLbD4fGaNiRtPzU" },
    success: {
      status: 200,
      description: "The token.",
      data: DeviceToken,
      example: {
        access_token: "svc_tok_pX2o9bq1mWcT7RjKfN5uVh3YzE8sLdA0gQiJtGkMwBn",
        token_type: "Bearer",
        expires_in: 7776000,
        scope: "documents:read knowledge-bases:read attachments:read concepts:read",
        scopes: ["documents:read", "knowledge-bases:read", "attachments:read", "concepts:read"],
        token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
        access: "read_only",
      },
    },
    errors: ["authorization_pending", "slow_down", "expired_token", "access_denied", "quota_exceeded"],
    prepare: ({ app, body }) => pollDevice(app.database, body.device_code, Date.now()),
    handler: async ({ tx, body, app, request }) => {
      const given = await exchangeDevice(tx, body.device_code, app.config, Date.now());
      await recordAudit(tx, given, request, { action: "poll_device_login", status: 200 });
      return ok(
        {
          access_token: given.token,
          token_type: "Bearer",
          expires_in: Math.round(given.ttl / 1000),
          scope: given.scopes.join(" "),
          scopes: given.scopes,
          token_id: given.tokenId,
          access: given.access,
        },
        { headers: NO_STORE },
      );
    },
  }),
];
