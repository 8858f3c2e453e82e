/** The thread that stores the documents that an import's thread reads, on a separate connection to the store. */
import { parentPort, workerData } from "node:worker_threads";
import { pino } from "pino";
import { fromThread } from "../../bodies/new-body.ts";
import { type BuildingStep, OwnBuilder } from "../../domain/exchange/import/build/builder.ts";
import { refusalOf } from "../../domain/exchange/import/import-archive.ts";
import { closeServices, makeServices } from "../make-services.ts";
import { type BuildThreadData, CLOSE, type FromBuildThread, type ToBuildThread } from "./run-builder.ts";

const nothing = () => undefined;
const { config, building }: BuildThreadData = workerData;
const services = await makeServices(config, pino({ level: "silent" }), { jobs: nothing, view: nothing });
const builder = new OwnBuilder(services, building);

const revived = (step: BuildingStep): BuildingStep =>
  step.kind === "documents"
    ? { ...step, documents: step.documents.map((document) => ({ ...document, body: fromThread(document.body) })) }
    : step;

async function buildOrRefuse(message: ToBuildThread): Promise<FromBuildThread> {
  try {
    await (message === CLOSE ? closeServices(services) : builder.build(revived(message)));
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { code: refusal.code, message: refusal.message };
  }
}

parentPort?.on("message", async (message: ToBuildThread) => parentPort?.postMessage(await buildOrRefuse(message)));
