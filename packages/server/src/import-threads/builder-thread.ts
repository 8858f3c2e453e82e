/** The thread that stores what an import's own thread reads, on a connection to the store of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { pino } from "pino";
import { fromThread } from "../bodies/new-body.ts";
import { closeServices, makeServices } from "../make-services.ts";
import { type BuildingStep, OwnBuilder } from "../resources/import/build/builder.ts";
import { refusalOf } from "../resources/import/import-archive.ts";
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
