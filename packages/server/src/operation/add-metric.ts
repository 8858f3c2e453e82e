import { Counter, Gauge, type Registry } from "prom-client";

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Adds a metric whose samples are read when metrics are requested: a counter if its name ends with `_total`. */
export function addMetric(
  registry: Registry,
  name: string,
  help: string,
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
  labelNames: readonly string[] = [],
): void {
  const options = {
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect(this: Counter | Gauge) {
      const samples = await read();
      this.reset();
      if (samples.length === 0) this.remove({});
      for (const { labels = {}, value } of samples)
        if (this instanceof Gauge) this.set(labels, value);
        else this.inc(labels, value);
    },
  };
  if (name.endsWith("_total")) new Counter(options);
  else new Gauge(options);
}
