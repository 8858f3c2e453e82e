import { spawn } from "node:child_process";

/** The command that opens a page here, or undefined where there is nothing to show one on. */
export function browserCommand(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] | undefined {
  if (env.BROWSER) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** Tries to open a page. Ignores failures, because the caller prints the address as well. */
export function openBrowser(url: string): void {
  const [command, ...args] = browserCommand(process.env, process.platform) ?? [];
  if (!command) return;
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
