/** The columns of a change that differ from the row, with their new values. */
export function changedColumns<Row extends object>(row: Row, change: Partial<Row>): Partial<Row> {
  const changed: Partial<Row> = {};
  for (const column in change) if (change[column] !== row[column]) changed[column] = change[column];
  return changed;
}

/** Whether a change sets only values that the row has already. */
export function isUnchanged<Row extends object>(row: Row, change: Partial<Row>): boolean {
  for (const column in change) if (change[column] !== row[column]) return false;
  return true;
}
