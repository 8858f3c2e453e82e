/** Prometheus texts of several processes as one: every metric once, with the samples of all under its description. */
export function mergeMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, { readonly head: string[]; readonly samples: string[] }>();
  for (const text of texts) {
    let metric: { readonly head: string[]; readonly samples: string[] } | undefined;
    for (const line of text.split("\n")) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind && name) {
        metric = metrics.get(name) ?? { head: [], samples: [] };
        metrics.set(name, metric);
        if (!metric.head.includes(line)) metric.head.push(line);
      } else if (line !== "") metric?.samples.push(line);
    }
  }
  const lines = [...metrics.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return lines.map((line) => `${line}\n`).join("");
}
