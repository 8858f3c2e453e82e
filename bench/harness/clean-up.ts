/** What has to be undone when the run ends, however it ends: servers stopped, directories removed. */
const steps: (() => void)[] = [];

export function atEnd(step: () => void): () => void {
  if (steps.length === 0) {
    process.once("exit", undoAll);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  }
  steps.push(step);
  return () => {
    const index = steps.indexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };
}

function undoAll(): void {
  for (const step of steps.reverse()) step();
}
