export const ARCHIVES = "imports/";

/** The blob key of an import's archive, which is kept until the job ends. */
export const archiveKeyOf = (jobId: string): string => ARCHIVES + jobId;
export const jobIdOf = (key: string): string => key.slice(ARCHIVES.length);
