import { type Editor, Extension, type Range } from "@tiptap/core";
import { type EditorState, Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { type FollowedRange, followRange } from "./follow-range.ts";
import { ownSpace } from "./own-space.ts";
import { type Choice, isChoosing, Popup } from "./popup.ts";

/** Typed text that opens a menu: the text after its sign, and its current range. */
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

/** Enter or Tab, pressed before the list was there, with the text before it: the choice replaces that text. */
interface Waiting {
  readonly key: string;
  readonly text: FollowedRange;
}

/** Watches typing and offers the choices of the matching trigger. */
class TriggerMenu {
  readonly #editor: Editor;
  readonly #triggers: readonly Trigger[];
  readonly #popup: Popup;
  /** The position at which Escape closed the list; it stays closed while typing continues there. */
  #closedAt: number | undefined;
  #round = 0;
  /** True while the list is being loaded. */
  #isLooking = false;
  #waiting: Waiting | undefined;

  constructor(editor: Editor, view: EditorView, triggers: readonly Trigger[]) {
    this.#editor = editor;
    this.#triggers = triggers;
    this.#popup = new Popup(view, () => this.#end());
  }

  update(view: EditorView, before: EditorState): void {
    const { state } = view;
    if (this.#waiting || (state.selection.eq(before.selection) && state.doc.eq(before.doc))) return;
    const [now, then] = [state.selection.$from, before.selection.$from];
    const isTyped = now.parent !== then.parent;
    // Somebody else wrote above: the text moved but did not change.
    const isActive = this.#popup.isOpen || this.#isLooking;
    const isMoved = isActive && !isTyped && now.parentOffset === then.parentOffset;
    const found = (isTyped || isMoved) && view.hasFocus() ? findTyped(state, this.#triggers) : undefined;
    if (!found) this.#closedAt = undefined;
    if (!found || found.from === this.#closedAt) this.close();
    else if (isMoved) this.#popup.moveTo(found.from);
    else void this.#offer(found);
  }

  async #offer(found: Found): Promise<void> {
    const round = ++this.#round;
    this.#isLooking = true;
    const { trigger, query } = found;
    const editor = this.#editor;
    const place = () => this.#waiting?.text.place() ?? findTyped(editor.state, [trigger]) ?? found;
    const choices = await Promise.resolve(trigger.find({ editor, query, place })).catch(() => []);
    if (round !== this.#round) return;
    this.#isLooking = false;
    this.#popup.show(trigger.label, choices, place().from);
    if (this.#waiting) this.#choose(this.#waiting);
  }

  /** Runs the awaited choice; without any choice the key has its usual effect, unless the person has typed on. */
  #choose({ key, text }: Waiting): void {
    const { commands, state } = this.#editor;
    const isBehind = state.selection.to === text.place().to;
    const isChosen = this.#popup.choose();
    this.#end();
    if (!isChosen && isBehind) commands.keyboardShortcut(key);
  }

  #wait(waiting: Waiting | undefined): void {
    this.#waiting?.text.end();
    this.#waiting = waiting;
  }

  /** Discards pending answers. */
  #end(): void {
    this.#round++;
    this.#isLooking = false;
    this.#wait(undefined);
  }

  close(): void {
    this.#end();
    this.#popup.hide();
  }

  key(event: KeyboardEvent): boolean {
    if (!this.#popup.isOpen || event.isComposing) return false;
    const typed = findTyped(this.#editor.state, this.#triggers);
    if (event.key === "Escape") {
      this.#closedAt = typed?.from;
      this.close();
      return true;
    }
    if (this.#waiting) return isChoosing(event);
    if (!this.#isLooking || !isChoosing(event) || !typed) return this.#popup.key(event);
    this.#wait({ key: event.key, text: followRange(this.#editor, typed) });
    return true;
  }

  destroy(): void {
    this.#end();
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
        ownSpace(),
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
