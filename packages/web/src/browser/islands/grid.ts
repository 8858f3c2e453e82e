import { defined } from "@svc/document/defined";
import { Controls } from "../grid/controls.ts";
import { bindFiles } from "../grid/files.ts";
import { Grid } from "../grid/grid.ts";
import { openSession } from "../live-page/open-session.ts";
import type { Present } from "../live-page/person-colour.ts";

const root = document.querySelector<HTMLElement>("[data-live-grid]");
if (root) void start(root);

async function start(root: HTMLElement): Promise<void> {
  const { documentId = "", userId = "", documentTitle = "" } = root.dataset;
  const part = (name: string) => defined(document.querySelector<HTMLElement>(`[data-grid-part="${name}"]`));
  let grid: Grid | undefined;
  let controls: Controls | undefined;
  let others: readonly Present[] = [];
  const showOthers = (): void => {
    if (!grid) return;
    const { tableId } = grid.model;
    // A cell is sent as the table's id, its row and its column.
    grid.people = others.flatMap(({ name, colour, place }) =>
      place?.block_id === tableId && place ? { name, colour, row: place.anchor, column: place.head } : [],
    );
  };
  const session = await openSession({
    documentId,
    userId,
    makesLines: false,
    part,
    onState: (live) => grid?.follow(live),
    onStatus: (_, { mayWrite }) => {
      for (const name of ["toolbar", "replace"]) part(name).hidden = !mayWrite;
    },
    onOthers: (now) => {
      others = now;
      showOthers();
    },
  });
  const host = document.createElement("div");
  host.className = "grid";
  host.tabIndex = 0;
  host.setAttribute("role", "grid");
  host.setAttribute("aria-label", documentTitle);
  host.setAttribute("aria-multiselectable", "true");
  root.replaceChildren(host);
  part("cell").hidden = false;
  grid = new Grid(host, session.live, {
    mayWrite: () => session.mayWrite,
    onShow: () => {
      controls?.show();
      const block_id = grid?.model.tableId;
      if (!grid || block_id === undefined) return;
      const { row, column } = grid.selection.anchor;
      const { place } = session;
      if (place?.block_id !== block_id || place.anchor !== row || place.head !== column)
        session.sendCaret({ block_id, anchor: row, head: column });
    },
  });
  controls = new Controls(grid, part);
  bindFiles(part("files"), documentId, () => grid?.beginAfterFile());
  showOthers();
  root.toggleAttribute("data-grid-ready", true);
}
