/** The thread that reads and builds archives, one after the other, on a separate connection to the store. */
import { parentPort, resourceLimits, workerData } from "node:worker_threads";
import { pino } from "pino";
import type { Config } from "../../config.ts";
import { type Builder, OwnBuilder } from "../../domain/exchange/import/build/builder.ts";
import type { Building } from "../../domain/exchange/import/build/building.ts";
import { importArchive, refusalOf } from "../../domain/exchange/import/import-archive.ts";
import type { Services } from "../../services.ts";
import { makeServices } from "../make-services.ts";
import { ThreadBuilder } from "./run-builder.ts";
import type { ImportTasks } from "./run-import.ts";

const nothing = () => undefined;
const config: Config = workerData;
const report = async (progress: Readonly<Record<string, unknown>>) => parentPort?.postMessage(progress);
/** Never aborted: the process ends the thread to stop an import. */
const { signal } = new AbortController();

/** Documents. Starting a thread takes as long as storing some fifty. */
const WORTH_A_THREAD = 100;

let opened: Promise<Services> | undefined;

const builderIn =
  (services: Services) =>
  (building: Building): Builder =>
    building.documentIds.size < WORTH_A_THREAD
      ? new OwnBuilder(services, building)
      : new ThreadBuilder({ config, building }, resourceLimits);

export const run: ImportTasks["run"] = async ({ folder, task }) => {
  opened ??= makeServices(config, pino({ level: "silent" }), { jobs: nothing, view: nothing });
  const services = await opened;
  try {
    return { imported: await importArchive(services, folder, task, { signal, report }, builderIn(services)) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { refusal: { code: refusal.code, message: refusal.message } };
  }
};
