/** Whether this runs in a page or in a worker of one: there the browser names itself and cannot stream a request. */
export const inBrowser = (): boolean => "document" in globalThis || "WorkerGlobalScope" in globalThis;
