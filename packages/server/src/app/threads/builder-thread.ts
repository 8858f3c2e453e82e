/** The thread that stores the documents that an import's thread reads, on a separate connection to the store. */
import { workerData } from "node:worker_threads";
import { pino } from "pino";
import { fromThread } from "../../bodies/new-body.ts";
import type { Config } from "../../config.ts";
import { type BuildingStep, OwnBuilder } from "../../domain/exchange/import/build/builder.ts";
import type { Building } from "../../domain/exchange/import/build/building.ts";
import { refusalOf } from "../../domain/exchange/import/import-archive.ts";
import type { Services } from "../../services.ts";
import { closeServices, makeServices } from "../make-services.ts";

export interface BuildThreadData {
  readonly config: Config;
  readonly building: Building;
}

const nothing = () => undefined;
const { config, building }: BuildThreadData = workerData;

let opened: Promise<{ readonly services: Services; readonly builder: OwnBuilder }> | undefined;

async function open() {
  const services = await makeServices(config, pino({ level: "silent" }), { jobs: nothing, view: nothing });
  return { services, builder: new OwnBuilder(services, building) };
}

const revived = (step: BuildingStep): BuildingStep =>
  step.kind === "documents"
    ? { ...step, documents: step.documents.map((document) => ({ ...document, body: fromThread(document.body) })) }
    : step;

/** Runs a step. Returns the reason if it was refused. */
export async function build(step: BuildingStep): Promise<{ code: string; message: string } | undefined> {
  opened ??= open();
  const { builder } = await opened;
  try {
    await builder.build(revived(step));
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { code: refusal.code, message: refusal.message };
  }
}

/** Closes the connections of the thread. */
export async function release(_: undefined): Promise<void> {
  if (opened) await closeServices((await opened).services);
}
