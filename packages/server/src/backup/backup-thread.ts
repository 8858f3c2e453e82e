/** The thread that makes one scheduled backup: reading a whole store would delay requests. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "@svc/document/thrown";
import { openBackupPlace } from "./place.ts";
import type { FromThread, ToThread } from "./run-backup.ts";
import { saveInPlace } from "./save.ts";

async function save({ config, work }: ToThread): Promise<FromThread> {
  try {
    const place = openBackupPlace(config, process.env);
    if (!place) throw new Error("SVC_BACKUP_DIR is not set.");
    return { kind: "saved", saved: await saveInPlace(config, place, work) };
  } catch (error) {
    return { kind: "failed", message: messageOf(error) };
  }
}

parentPort?.postMessage(await save(workerData));
