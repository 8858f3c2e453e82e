import { makeBackup } from "@svc/server/backup/make-backup";
import { restoreBackup } from "@svc/server/backup/restore-backup";
import { withWorkFolder } from "@svc/server/backup/work-folder";
import type { Config } from "@svc/server/config";

export const saveStore = (config: Config, file: string) =>
  withWorkFolder(config.dataDir, "backup", (work) => makeBackup(config, file, { work, hasFiles: true }));

export const replaceStore = (config: Config, file: string) => restoreBackup(config, file, { replace: true });
