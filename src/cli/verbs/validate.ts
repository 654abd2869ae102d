/** The verbs that need no service: `tenancy validate` checks the configuration, and `tenancy synth` writes the stacks for other programs. */
import { relative } from "node:path";
import { validate as validateStack } from "../../engine";
import { type Diagnostic, isError } from "../../problems";
import { jsonDiagnostic, jsonText } from "../../render/json";
import { diagnosticsText } from "../../render/text";
import { diagnosticsOf } from "../failure";
import { stackOptions } from "../flags";
import { EXIT } from "../io";
import { plainText } from "../../lib/values";
import { stacksFor } from "../project/stacks";
import { interruptible } from "../terminal";
import type { Verb } from "./verb";

export const validate: Verb<"validate"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    const all: Diagnostic[] = [];
    const names: string[] = [];
    try {
      const stacks = await stacksFor(operands, flags, terminal, signal, { orAll: true });
      const options = { ...stackOptions(flags, io), signal };
      for (const stack of stacks) {
        names.push(stack.name);
        all.push(
          ...(await validateStack(stack, options).catch((error: unknown) => diagnosticsOf(error, io))),
        );
      }
    } catch (error) {
      all.push(...diagnosticsOf(error, io));
    }
    // Findings that several stacks share are shown once.
    const diagnostics = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
    const errors = diagnostics.filter(isError).length;
    if (flags.json === true) screen.print(asJson(diagnostics, errors));
    else {
      if (diagnostics.length > 0) screen.tell(diagnosticsText(diagnostics, screen.talk, flags.all));
      if (errors === 0) screen.print(`Valid: ${names.join(", ")}.`);
    }
    return errors === 0 ? EXIT.ok : EXIT.failed;
  });

export const synth: Verb<"synth"> = ({ flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const stacks = await stacksFor([], flags, terminal, signal, { orAll: true, keepsOutput: true });
    const names = stacks.map(({ name }) => name).join(", ");
    const [{ output } = { output: "" }] = stacks;
    terminal.screen.print(plainText(`Synthesized in ${relative(terminal.io.folder, output)}: ${names}.`));
    return EXIT.ok;
  });

/** As `terraform validate -json`. */
function asJson(diagnostics: readonly Diagnostic[], errors: number): string {
  return jsonText(
    {
      format_version: "1.0",
      valid: errors === 0,
      error_count: errors,
      warning_count: diagnostics.length - errors,
      diagnostics: diagnostics.map(jsonDiagnostic),
    },
    2,
  );
}
