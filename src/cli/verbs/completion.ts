/** `tenancy completion`: the script by which a shell asks `tenancy complete`, which knows verbs, options, stacks and addresses. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { isList, isObject, nearest, parseJson, type Value } from "../../lib/values";
import { usage } from "../../problems";
import { EXIT } from "../io";
import { readProjectIfAny } from "../project/project";
import type { Verb } from "./verb";

/** The script for each shell. `tenancy complete` prints one candidate a line. */
const SHELL_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_tenancy() {
  COMPREPLY=()
  local candidate
  while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(
    tenancy complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
  )
}
complete -o default -F _tenancy tenancy
`,
  zsh: `#compdef tenancy
_tenancy() {
  local -a candidates
  candidates=("\${(@f)$(tenancy complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then compadd -- "\${candidates[@]}"; else _files; fi
}
if [ "$funcstack[1]" = "_tenancy" ]; then _tenancy; else compdef _tenancy tenancy; fi
`,
  fish: `function __tenancy_complete
  set -l words (commandline -opc) (commandline -ct)
  tenancy complete -- $words[2..-1] 2>/dev/null
end
complete -c tenancy -a '(__tenancy_complete)'
`,
};

export const completion: Verb<"completion"> = async ({ operands: [shell = ""] }, { screen }) => {
  const script = SHELL_SCRIPTS[shell];
  if (script === undefined) {
    const near = nearest(shell, Object.keys(SHELL_SCRIPTS));
    throw usage.error({
      problem: `there is no completion for the shell ${JSON.stringify(shell)}`,
      advice: near === undefined ? "Name bash, zsh or fish." : `Did you mean ${near}?`,
    });
  }
  screen.print(script.trimEnd());
  return EXIT.ok;
};

/** A shell takes these characters as they are. A candidate with another one could run something, so it is left out. */
const SAFE_IN_SHELLS = /^[\w@%+=:,./-]+$/;

/** Prints the candidates for the last word. It runs no app and sends no request, since a person waits for each key. */
export const complete: Verb<"complete"> = async ({ operands, program }, { io }) => {
  // Bash makes three words of `--only=x`, other shells one.
  const words = operands.filter((one, index) => one !== "=" || index === 0);
  const last = operands.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = operands.at(-1) === "=" ? words : words.slice(0, -1);
  const [, flag, argument = ""] = /^(--[\w-]+)=(.*)$/s.exec(last) ?? [];
  const candidates =
    flag === undefined
      ? await candidatesFor(program, before, last, io.folder)
      : (await candidatesFor(program, [...before, flag], argument, io.folder)).map((one) => `${flag}=${one}`);
  const fitting = [...new Set(candidates)].filter((one) => one.startsWith(last) && SAFE_IN_SHELLS.test(one));
  if (fitting.length > 0) io.stdout.write(`${fitting.join("\n")}\n`);
  return EXIT.ok;
};

/** Options whose arguments are addresses of objects. */
const OF_ADDRESSES = ["--only", "--target", "--exclude", "--ignore"];

/** @param before the words in front of the one that is to be completed */
async function candidatesFor(
  program: Command,
  before: readonly string[],
  word: string,
  folder: string,
): Promise<readonly string[]> {
  const [first = "", second = ""] = before;
  const group = subcommandNamed(program, first);
  const verb = group === undefined ? undefined : (subcommandNamed(group, second) ?? group);
  if (verb === undefined) {
    if (before.length > 0 && first !== "help") return [];
    return word.startsWith("-") ? completedFlagsOf(program) : completedVerbsOf(program);
  }
  if (verb.commands.length > 0) return completedVerbsOf(verb);

  const previous = before.at(-1) ?? "";
  const open = verb.options.find(({ long, short }) => [long, short].includes(previous));
  if (OF_ADDRESSES.includes(previous)) return addressesForCompletion(await stacksForCompletion(folder));
  if (open?.required === true) return open.argChoices ?? [];
  if (word.startsWith("-")) return [...completedFlagsOf(verb), ...completedFlagsOf(program)];
  if (verb.name() === "completion") return Object.keys(SHELL_SCRIPTS);
  const takesStack = verb.registeredArguments.some(({ description }) => description.includes("stack"));
  return takesStack ? (await stacksForCompletion(folder)).map(({ name }) => name) : [];
}

function subcommandNamed(parent: Command, name: string): Command | undefined {
  return parent.commands.find((one) => one.name() === name);
}

function completedVerbsOf(parent: Command): readonly string[] {
  return parent.commands.filter((one) => one.summary() !== "").map((one) => one.name());
}

function completedFlagsOf(verb: Command): readonly string[] {
  const listedOptions = verb.options.filter((option) => !option.hidden);
  return listedOptions.flatMap(({ long }) => (typeof long === "string" ? [long] : []));
}

interface SynthesizedStack {
  readonly name: string;
  readonly blocks: Value;
}

/** The stacks as the app left them when it last ran; none if nothing is there yet. */
async function stacksForCompletion(folder: string): Promise<readonly SynthesizedStack[]> {
  const project = await readProjectIfAny(folder).catch(() => undefined);
  const manifest = join(folder, project?.output ?? "cdktf.out", "manifest.json");
  const stacks = jsonMembersOf(jsonMembersOf(await jsonInFile(manifest))["stacks"]);
  return Promise.all(
    Object.entries(stacks).map(async ([name, stack]) => {
      const path = jsonMembersOf(stack)["synthesizedStackPath"];
      return {
        name,
        blocks: typeof path === "string" ? await jsonInFile(join(dirname(manifest), path)) : null,
      };
    }),
  );
}

/** `tenancy_account.acme` */
function addressesForCompletion(stacks: readonly SynthesizedStack[]): readonly string[] {
  return stacks.flatMap(({ blocks }) =>
    Object.entries(jsonMembersOf(jsonMembersOf(blocks)["resource"])).flatMap(([type, objects]) =>
      Object.keys(jsonMembersOf(objects)).map((name) => `${type}.${name}`),
    ),
  );
}

async function jsonInFile(file: string): Promise<Value> {
  try {
    return parseJson(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}

function jsonMembersOf(value: Value | undefined): Readonly<Record<string, Value>> {
  return value !== undefined && isObject(value) && !isList(value) ? value : {};
}
