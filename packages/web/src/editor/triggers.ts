import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type Choice, Popup } from "./popup.ts";

/** Typed text that asks for something: where it stands, and what was typed behind its sign. */
export interface Typed {
  readonly editor: Editor;
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

export interface Trigger {
  readonly label: string;
  /** Matches at the end of the text before the caret; `sign` and `query` are its groups. */
  readonly pattern: RegExp;
  readonly find: (typed: Typed) => Promise<readonly Choice[]> | readonly Choice[];
}

interface Found {
  readonly trigger: Trigger;
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

function findTyped({ selection }: EditorState, triggers: readonly Trigger[]): Found | undefined {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined;
  const text = $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc");
  for (const trigger of triggers) {
    const { sign, query } = trigger.pattern.exec(text)?.groups ?? {};
    if (sign === undefined || query === undefined) continue;
    return { trigger, query, from: $from.pos - sign.length - query.length, to: $from.pos };
  }
  return undefined;
}

/** Looks at what is typed, and offers the choices of the trigger that it names. */
class TriggerMenu {
  readonly #editor: Editor;
  readonly #triggers: readonly Trigger[];
  readonly #popup: Popup;
  /** Where Escape closed the list: it stays closed for what is typed on there. */
  #closedAt: number | undefined;
  #round = 0;

  constructor(editor: Editor, view: EditorView, triggers: readonly Trigger[]) {
    this.#editor = editor;
    this.#triggers = triggers;
    this.#popup = new Popup(view);
  }

  update(view: EditorView, before: EditorState): void {
    const { state } = view;
    if (state.selection.eq(before.selection) && state.doc.eq(before.doc)) return;
    const isTyped = state.selection.$from.parent !== before.selection.$from.parent;
    const found = isTyped && view.hasFocus() ? findTyped(state, this.#triggers) : undefined;
    if (!found) this.#closedAt = undefined;
    if (found && found.from !== this.#closedAt) void this.#offer(found);
    else this.close();
  }

  async #offer({ trigger, ...typed }: Found): Promise<void> {
    const round = ++this.#round;
    const choices = await Promise.resolve(trigger.find({ editor: this.#editor, ...typed })).catch(() => []);
    if (round === this.#round) this.#popup.show(trigger.label, choices, typed.from);
  }

  close(): void {
    this.#round++;
    this.#popup.hide();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "Escape" || !this.#popup.isOpen) return this.#popup.key(event);
    this.#closedAt = findTyped(this.#editor.state, this.#triggers)?.from;
    this.close();
    return true;
  }

  destroy(): void {
    this.#popup.destroy();
  }
}

/** Menus that open by typing: one extension for all of them, so that only one is open. */
export const triggersOf = (triggers: readonly Trigger[]) =>
  Extension.create({
    name: "triggers",
    priority: 900,
    addProseMirrorPlugins() {
      const { editor } = this;
      let menu: TriggerMenu | undefined;
      return [
        new Plugin({
          view: (view) => {
            menu = new TriggerMenu(editor, view, triggers);
            return menu;
          },
          props: {
            handleKeyDown: (_view, event) => menu?.key(event) ?? false,
            handleDOMEvents: {
              blur: () => {
                menu?.close();
                return false;
              },
            },
          },
        }),
      ];
    },
  });
