/** `tenancy output`: shows the outputs of a stack, evaluated against the live service. */
import { outputs as outputsOf } from "../../engine";
import type { OutputChange } from "../../plan";
import { type TenancyError, unknownOutput, usage } from "../../problems";
import { jsonOutput, jsonText } from "../../render/json";
import { outputLines, plainLines, shownValue } from "../../render/text";
import { isWhollyKnown, nearest, type Value } from "../../lib/values";
import { stackOptions } from "../flags";
import { EXIT, type Io } from "../io";
import { stacksFor } from "../project/stacks";
import type { Flags } from "../program";
import { interruptible, type Terminal } from "../terminal";
import type { Verb } from "./verb";

export const output: Verb<"output"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io } = terminal;
    // A single name is a stack, or else an output of the only stack.
    const [first] = operands;
    const [stack, ...others] = await stacksFor(operands.slice(0, 1), flags, terminal, signal, {
      orOutput: operands.length === 1,
    });
    if (stack === undefined || others.length > 0)
      throw usage.error({ problem: `"${first ?? ""}" matches several stacks`, advice: "Name one of them." });
    const name = operands[1] ?? (first === stack.name ? undefined : first);
    if (flags.raw === true && (name === undefined || flags.json === true)) {
      throw usage.error({
        problem: "--raw prints the value of one output, and is not JSON",
        advice: "Write tenancy output NAME --raw.",
      });
    }
    const outputs = await outputsOf(stack, {
      ...stackOptions(flags, io),
      signal,
      ...(name !== undefined && { name }),
    });
    if (name === undefined) listOutputs(outputs, flags, terminal);
    else io.stdout.write(valueText(outputNamed(outputs, name), flags, io));
    return EXIT.ok;
  });

function listOutputs(
  outputs: readonly OutputChange[],
  { json }: Flags<"output">,
  { screen }: Terminal,
): void {
  if (json === true) screen.print(outputsJson(outputs));
  else if (outputs.length > 0) screen.print(outputLines(outputs).join("\n"));
  else screen.tell("The stack declares no outputs.");
}

/** As `terraform output -json`: sensitive values included, because they were asked for. */
function outputsJson(outputs: readonly OutputChange[]): string {
  const members = Object.create(null) as Record<string, unknown>;
  for (const one of outputs) members[one.name] = jsonOutput(one, true);
  return jsonText(members, 2);
}

function outputNamed(outputs: readonly OutputChange[], name: string): OutputChange {
  const output = outputs.find((candidate) => candidate.name === name);
  if (output === undefined) {
    throw noSuchOutput(name, outputs);
  }
  if (!isWhollyKnown(output.after as Value)) {
    throw unknownOutput.error({
      problem: `the value of the output "${name}" is known only after apply`,
      advice: "Apply first.",
    });
  }
  return output;
}

function noSuchOutput(name: string, outputs: readonly OutputChange[]): TenancyError {
  const known = outputs.map((candidate) => candidate.name);
  const near = nearest(name, known);
  return unknownOutput.error({
    problem: `the stack has no output "${name}"`,
    advice: near === undefined ? `There are: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`,
  });
}

/** The value, and a line end unless a script wants the bare text. */
function valueText({ name, after }: OutputChange, { raw, json }: Flags<"output">, { stdout }: Io): string {
  const value = after as Value;
  if (json === true) return `${jsonText(value)}\n`;
  if (raw !== true) return `${shownValue(value)}\n`;
  if (value === null || typeof value === "object") {
    throw unknownOutput.error({
      problem: `the output "${name}" is not a string, number or boolean`,
      advice: `Write tenancy output ${name} --json.`,
    });
  }
  const text = String(value);
  return stdout.isTTY === true ? plainLines(text).join("\n") : text;
}
