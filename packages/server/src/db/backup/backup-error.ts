/** The reason why a backup or a restore failed, shown to the operator as it is. */
export class BackupError extends Error {}
