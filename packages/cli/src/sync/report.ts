/** One thing that a run did. `push` and `pull` are bodies; `conflict` names the file that keeps the local text. */
export interface Action {
  readonly action:
    | "pull"
    | "push"
    | "merge"
    | "conflict"
    | "create_document"
    | "create_file"
    | "delete_document"
    | "delete_file"
    | "move_document"
    | "move_file"
    | "create_folder"
    | "create_directory"
    | "move_folder"
    | "move_directory"
    | "delete_folder"
    | "delete_directory";
  readonly path: string;
}

/** What could not be done, and stays as it was. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface Report {
  readonly actions: Action[];
  readonly problems: Problem[];
  /** What the other side does not have, and nothing is wrong with: links that lead nowhere, files that are too large. */
  readonly notCarried: Problem[];
}
