/** One action of a run. `push` and `pull` are bodies; `conflict` names the file that keeps the local text. */
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

/** Failed steps; the files and documents concerned stay unchanged. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface Report {
  readonly actions: Action[];
  readonly problems: Problem[];
  /** Notes about items missing on the other side without an error: broken links, files that are too large. */
  readonly notCarried: Problem[];
}
