import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig, settings, unknownSettings } from "./config.ts";

/** Secrets that must be addresses. */
const addresses: Readonly<Record<string, string>> = {
  SVC_DATABASE_URL: "postgres://u:p@h/d",
  SVC_BLOB_URL: "s3://b",
  SVC_SMTP_URL: "smtp://u:p@h",
};

test("CONF3 every secret may come from a file, and only secrets", () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-config-"));
  try {
    const file = join(directory, "secret");
    for (const [key, { name, secret }] of Object.entries(settings)) {
      const value = addresses[name] ?? "s3cret";
      writeFileSync(file, `${value}\n`);
      const read = () => Reflect.get(readConfig({ [`${name}_FILE`]: file }), key);
      if (secret) assert.equal(String(read()), value, name);
      else assert.deepEqual(unknownSettings({ [`${name}_FILE`]: file }), [`${name}_FILE`]);
    }
    assert.throws(() => readConfig({ SVC_SECRET_FILE: join(directory, "none") }), /SVC_SECRET .*readable file/);
    assert.throws(() => readConfig({ SVC_SECRET: "a", SVC_SECRET_FILE: file }), /not both/);
    // An empty key would sign, and anybody could.
    writeFileSync(file, " \n");
    assert.throws(
      () => readConfig({ SVC_SECRET_FILE: file }),
      /SVC_SECRET .*with the secret in it \(SVC_SECRET_FILE\)/,
    );
    writeFileSync(file, "nonsense://hunter2");
    assert.throws(
      () => readConfig({ SVC_DATABASE_URL_FILE: file }),
      (error: Error) => !error.message.includes("hunter2"),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("CONF3 every key and every address that may carry one is a secret", () => {
  const names = Object.values(settings).map(({ name }) => name);
  const secret = new Set(Object.values(settings).flatMap((setting) => (setting.secret ? [setting.name] : [])));
  for (const name of names.filter((name) => /KEY|SECRET|DATABASE_URL|BLOB_URL|SMTP_URL/.test(name)))
    assert.ok(secret.has(name), name);
});

test("CONF2 a number that is none, too small, too large or not whole is refused", () => {
  for (const value of ["x", "-1", "1.5", "65536", "0x10", "1e3", " 8 0"])
    assert.throws(
      () => readConfig({ SVC_PORT: value }),
      /^Error: Setting SVC_PORT is .* allowed is a whole number from 0 to 65535\.$/,
    );
  assert.equal(readConfig({ SVC_PORT: " 8080 " }).port, 8080);
  assert.equal(readConfig({ SVC_PORT: "" }).port, 3000);
  assert.equal(readConfig({ SVC_EVENT_RETENTION_DAYS: "0.5" }).eventRetentionDays, 0.5);
});

test("CONF2 proxies are counted, and ranges of addresses are ranges", () => {
  const proxies = ["off", "on", "3"].map((value) => readConfig({ SVC_TRUST_PROXY: value }).trustProxy);
  assert.deepEqual(proxies, [0, 1, 3]);
  assert.throws(() => readConfig({ SVC_TRUST_PROXY: "yes" }), /off, on or the number of proxies/);
  const name = "SVC_WEBHOOK_PRIVATE_ADDRESSES";
  assert.deepEqual(readConfig({}).webhookPrivateAddresses, []);
  assert.ok(readConfig({ [name]: "on" }).webhookPrivateAddresses.includes("127.0.0.0/8"));
  assert.ok(!readConfig({ [name]: "on" }).webhookPrivateAddresses.some((range) => range.startsWith("169.254")));
  assert.deepEqual(readConfig({ [name]: "10.0.0.0/8, fd00::/8" }).webhookPrivateAddresses, ["10.0.0.0/8", "fd00::/8"]);
  for (const value of ["yes", "10.0.0.0", "10.0.0.0/33", "10.0.0/8", "::/129", "on,10.0.0.0/8", "10.0.0.0/8/8"])
    assert.throws(() => readConfig({ [name]: value }), /off, on or ranges/, value);
});

test("BASE5 the public address may have a path, and not one of ours", () => {
  const baseUrl = (value: string) => readConfig({ SVC_BASE_URL: value }).baseUrl;
  assert.equal(baseUrl("https://example.com/tools/kb/"), "https://example.com/tools/kb");
  assert.equal(baseUrl("https://example.com/"), "https://example.com");
  assert.throws(
    () => baseUrl("https://ada:hunter2@example.com"),
    ({ message }: Error) => message.includes("without a user and a password") && !message.includes("hunter2"),
  );
  for (const value of ["https://example.com/api", "https://example.com/s/x", "https://e.com/?x", "https://e.com/a b"])
    assert.throws(() => baseUrl(value), /SVC_BASE_URL .*whose path does not begin with/, value);
});

test("CONF3 an unknown name is told", () => {
  assert.deepEqual(unknownSettings({ SVC_PROT: "1", SVC_PORT: "1", SVC_TOKEN: "1", PATH: "x" }), ["SVC_PROT"]);
});
