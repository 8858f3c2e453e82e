import { type Editor, Extension, type Range } from "@tiptap/core";
import { type EditorState, Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type Choice, isChoosing, Popup } from "./popup.ts";

/** Typed text that asks for something: what was typed behind its sign, and where it stands now. */
export interface Typed {
  readonly editor: Editor;
  readonly query: string;
  readonly place: () => Range;
}

export interface Trigger {
  readonly label: string;
  /** Matches at the end of the text before the caret; `sign` and `query` are its groups. */
  readonly pattern: RegExp;
  readonly find: (typed: Typed) => Promise<readonly Choice[]> | readonly Choice[];
}

interface Found extends Range {
  readonly trigger: Trigger;
  readonly query: string;
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
  /** The list is still that of fewer letters. */
  #isLooking = false;
  /** Enter or Tab, pressed while it was: it chooses from what all letters find. */
  #waitingKey: string | undefined;

  constructor(editor: Editor, view: EditorView, triggers: readonly Trigger[]) {
    this.#editor = editor;
    this.#triggers = triggers;
    this.#popup = new Popup(view);
  }

  update(view: EditorView, before: EditorState): void {
    const { state } = view;
    if (state.selection.eq(before.selection) && state.doc.eq(before.doc)) return;
    const [now, then] = [state.selection.$from, before.selection.$from];
    const isTyped = now.parent !== then.parent;
    // Somebody else wrote above: the text moved, and nothing in it changed.
    const isMoved = !isTyped && now.parentOffset === then.parentOffset && this.#popup.isOpen;
    const found = (isTyped || isMoved) && view.hasFocus() ? findTyped(state, this.#triggers) : undefined;
    if (!found) this.#closedAt = undefined;
    if (!found || found.from === this.#closedAt) this.close();
    else if (isMoved) this.#popup.moveTo(found.from);
    else void this.#offer(found);
  }

  async #offer(found: Found): Promise<void> {
    const round = ++this.#round;
    this.#isLooking = true;
    this.#waitingKey = undefined;
    const { trigger, query } = found;
    const editor = this.#editor;
    const place = () => findTyped(editor.state, [trigger]) ?? found;
    const choices = await Promise.resolve(trigger.find({ editor, query, place })).catch(() => []);
    if (round !== this.#round) return;
    this.#isLooking = false;
    this.#popup.show(trigger.label, choices, place().from);
    if (this.#waitingKey && !this.#popup.choose()) editor.commands.keyboardShortcut(this.#waitingKey);
  }

  close(): void {
    this.#round++;
    this.#isLooking = false;
    this.#popup.hide();
  }

  key(event: KeyboardEvent): boolean {
    if (!this.#popup.isOpen || event.isComposing) return false;
    if (event.key === "Escape") {
      this.#closedAt = findTyped(this.#editor.state, this.#triggers)?.from;
      this.close();
      return true;
    }
    if (!this.#isLooking || !isChoosing(event)) return this.#popup.key(event);
    this.#waitingKey = event.key;
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
