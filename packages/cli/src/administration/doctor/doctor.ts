import { existsSync } from "node:fs";
import { messageOf } from "@svc/document/thrown";
import { startError } from "@svc/server/app/processes/start-error";
import { type Config, readConfig, unknownSettings } from "@svc/server/config";
import { connect, sqliteFile } from "@svc/server/db/connect";
import type { Database } from "@svc/server/db/database";
import { firstAccountOf } from "@svc/server/operation/first-account";
import { openBlobStore } from "@svc/server/ports/blobs/open-blob-store";
import { openIdentityProviders } from "@svc/server/ports/identity-provider/open-identity-providers";
import { openMailer } from "@svc/server/ports/mail/open-mailer";
import { openTranslator } from "@svc/server/ports/translator/open-translator";
import type { Command } from "commander";
import { EXIT } from "../../exit-codes.ts";
import { JSON_FLAG, type OutputOptions, print } from "../../output.ts";
import { checkAddress, checkSockets } from "./check-address.ts";
import { checkBackup } from "./check-backup.ts";
import { checkClock } from "./check-clock.ts";
import { checkIdentityProviders, checkMail } from "./check-services.ts";
import { checkDatabase, checkDisk, checkFiles } from "./check-store.ts";
import type { Check, Finding, Patient } from "./finding.ts";

const CHECKS: readonly Check[] = [
  checkDatabase,
  checkDisk,
  checkFiles,
  checkMail,
  checkIdentityProviders,
  checkAddress,
  checkSockets,
  checkClock,
  checkBackup,
];

function checkSettings(config: Config): Finding[] {
  const unknown = unknownSettings(process.env).map(
    (name): Finding => ({
      check: "settings",
      state: "warning",
      message: `${name} is no setting of svc.`,
      advice: "Look for a typing error: docs/settings.md lists all settings.",
    }),
  );
  try {
    firstAccountOf(config);
    openMailer({ url: config.smtpUrl, from: config.mailFrom });
    openIdentityProviders(config);
    openBlobStore({ blobUrl: config.blobUrl, dataDir: config.dataDir, env: process.env });
    openTranslator({
      provider: config.translationProvider,
      url: config.translationUrl,
      apiKey: config.translationApiKey,
      model: config.translationModel,
    });
  } catch (error) {
    return [
      ...unknown,
      { check: "settings", state: "error", message: messageOf(error), advice: "Correct this setting." },
    ];
  }
  return unknown.length > 0 ? unknown : [{ check: "settings", state: "ok", message: "All settings can be used." }];
}

async function openStore(config: Config): Promise<{ database?: Database; findings: Finding[] }> {
  if (!config.databaseUrl && !existsSync(sqliteFile(config))) return { findings: [] };
  try {
    return { database: await connect(config, { warn: () => undefined }), findings: [] };
  } catch (error) {
    const message = startError(error as Error, config);
    const advice = config.databaseUrl
      ? "See that the database server runs, and that SVC_DATABASE_URL has the right host, user and password."
      : "See that SVC_DATA_DIR names the folder of the store, and that this user may read and write it.";
    return { findings: [{ check: "database", state: "error", message, advice }] };
  }
}

/** An address without a host means this machine. */
const addressOf = ({ host, port }: Config): string => {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
};

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [{ check: "settings", state: "error", message: messageOf(error), advice: "Correct this setting." }];
  }
  const { database, findings } = await openStore(config);
  const address = addressOf(config);
  const patient: Patient = { config, database, address, publicAddress: config.baseUrl?.replace(/\/+$/, "") ?? address };
  try {
    const checks = CHECKS.filter((check) => check !== checkDatabase || findings.length === 0);
    const results = await Promise.all(checks.map((check) => check(patient)));
    return [...checkSettings(config), ...findings, ...results.flat()];
  } finally {
    await database?.close();
  }
}

const MARKS = { ok: "ok     ", off: "off    ", warning: "warning", error: "ERROR  " };

async function doctor(options: OutputOptions): Promise<void> {
  const findings = await examine();
  const errors = findings.filter(({ state }) => state === "error").length;
  const warnings = findings.filter(({ state }) => state === "warning").length;
  const lines = findings.flatMap(({ check, state, message, advice }) => [
    `${MARKS[state]}  ${check.padEnd(17)}  ${message}`,
    ...(advice ? [`${" ".repeat(28)}→ ${advice}`] : []),
  ]);
  print(options, { healthy: errors === 0, errors, warnings, findings }, [
    ...lines,
    "",
    errors === 0 ? `Nothing is wrong${warnings > 0 ? `; ${warnings} warnings` : ""}.` : `${errors} problems.`,
  ]);
  process.exitCode = errors === 0 ? EXIT.ok : EXIT.failure;
}

export function define(command: Command): void {
  command
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      "\nRun it with the settings of the server, while the server runs. Ends with 1 if anything is wrong; warnings do not\ncount. It opens the store as every administration command does, and sends no mail.",
    )
    .action(doctor);
}
