/** The thread that reads and builds archives, one after the other, on a separate connection to the store. */
import { parentPort, resourceLimits, workerData } from "node:worker_threads";
import { pino } from "pino";
import type { Config } from "../../config.ts";
import { type Builder, OwnBuilder } from "../../domain/exchange/import/build/builder.ts";
import type { Building } from "../../domain/exchange/import/build/building.ts";
import { importArchive, refusalOf } from "../../domain/exchange/import/import-archive.ts";
import { makeServices } from "../make-services.ts";
import { ThreadBuilder } from "./run-builder.ts";
import type { FromThread, ToThread } from "./run-import.ts";

const nothing = () => undefined;
const log = pino({ level: "silent" });
const config: Config = workerData;
const services = await makeServices(config, log, { jobs: nothing, view: nothing });
const send = (message: FromThread) => parentPort?.postMessage(message);
const report = async (progress: Readonly<Record<string, unknown>>) => send({ kind: "report", progress });
/** Never aborted: the process ends the thread to stop an import. */
const { signal } = new AbortController();

/** Documents. Starting a thread takes as long as storing some fifty. */
const WORTH_A_THREAD = 100;

const builderOf = (building: Building): Builder =>
  building.documentIds.size < WORTH_A_THREAD
    ? new OwnBuilder(services, building)
    : new ThreadBuilder({ config, building }, resourceLimits);

async function importOrRefuse({ folder, task }: ToThread): Promise<FromThread> {
  try {
    return { kind: "imported", imported: await importArchive(services, folder, task, { signal, report }, builderOf) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { kind: "refused", code: refusal.code, message: refusal.message };
  }
}

parentPort?.on("message", async (work: ToThread) => send(await importOrRefuse(work)));
