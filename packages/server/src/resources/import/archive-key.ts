export const ARCHIVES = "imports/";

/** Where the archive of an import lies until its job has ended. */
export const archiveKeyOf = (jobId: string): string => ARCHIVES + jobId;
export const jobIdOf = (key: string): string => key.slice(ARCHIVES.length);
