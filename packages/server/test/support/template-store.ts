import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@svc/server/config";
import { connect, sqliteFile } from "@svc/server/db/connect";
import { makeDatabase } from "./postgres.ts";

/** The stores that tests begin with: today's schema and not a row. Copying one takes a fraction of its migrations. */
interface Templates {
  readonly directory: string;
  readonly database: string;
}

/** Once for a test run, whose processes learn of it from the environment. */
export async function makeTemplates(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "svc-template-"));
  const { url } = await makeDatabase();
  for (const settings of [{ SVC_DATA_DIR: directory }, { SVC_DATA_DIR: directory, SVC_DATABASE_URL: url }])
    await (await connect(readConfig(settings), { warn: () => undefined })).close();
  const made: Templates = { directory, database: new URL(url).pathname.slice(1) };
  process.env.SVC_TEST_TEMPLATES = JSON.stringify(made);
}

/** None for a program that is not part of a test run: its server makes the schema. */
const templates = (): Templates | undefined => JSON.parse(process.env.SVC_TEST_TEMPLATES ?? "null") ?? undefined;

export const copyDatabaseTemplate = () => makeDatabase(templates()?.database);

export function copySqliteTemplate(dataDir: string): void {
  const made = templates();
  if (made) copyFileSync(sqliteFile({ dataDir: made.directory }), sqliteFile({ dataDir }));
}
