import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeMetrics } from "./merge-metrics.ts";

const ofWorker = (n: number, more = "") => `# HELP a About a.
# TYPE a counter
a{worker="${n}"} ${n}

# HELP b About b.
# TYPE b histogram
b_bucket{worker="${n}",le="1"} 0
b_count{worker="${n}"} 0
${more}`;

test("PROC6 the figures of several workers are one text: each metric described once, its samples together", () => {
  assert.equal(
    mergeMetrics([ofWorker(1), ofWorker(2, '# TYPE c gauge\nc{worker="2"} 5\n')]),
    `# HELP a About a.
# TYPE a counter
a{worker="1"} 1
a{worker="2"} 2
# HELP b About b.
# TYPE b histogram
b_bucket{worker="1",le="1"} 0
b_count{worker="1"} 0
b_bucket{worker="2",le="1"} 0
b_count{worker="2"} 0
# TYPE c gauge
c{worker="2"} 5
`,
  );
});
