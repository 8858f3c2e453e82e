/** The page around a text, in this order: reading aids, panels with the editor, comments that open their panel. */
import "./reading/start.ts";
import "./living-page/start.ts";
import "./discussion/start.ts";
