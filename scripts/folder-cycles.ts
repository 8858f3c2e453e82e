/** Imports between folders: which folder imports which. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** A path of folders that comes back to its first one, if there is one. */
export function findCycle(graph: FolderGraph): readonly string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (folder: string): readonly string[] | undefined => {
    const at = path.indexOf(folder);
    if (at >= 0) return [...path.slice(at), folder];
    if (done.has(folder)) return undefined;
    path.push(folder);
    for (const next of graph.get(folder) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const cycle = visit(folder);
    if (cycle) return cycle;
  }
  return undefined;
}
