import { Argument, type Command } from "commander";
import { type Shell, scripts } from "../completion/scripts.ts";
import { JSON_FLAG, type OutputOptions, print } from "../output.ts";

const run = (shell: Shell, options: OutputOptions): void =>
  print(options, { shell, script: scripts[shell] }, [scripts[shell].trimEnd()]);

export function define(command: Command): void {
  command
    .addArgument(new Argument("<shell>", "which one you use").choices(Object.keys(scripts)))
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      `
bash  echo 'source <(svc completion bash)' >> ~/.bashrc
zsh   echo 'source <(svc completion zsh)' >> ~/.zshrc      (after compinit)
fish  svc completion fish > ~/.config/fish/completions/svc.fish`,
    )
    .action(run);
}
