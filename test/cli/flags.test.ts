/** From what is typed to the engine's options: covers src/cli/flags.ts. */
import { planOptions } from "../../src/cli/flags";
import type { Io } from "../../src/cli/io";
import { makeProgram } from "../../src/cli/program";

/** What the verb itself reads, or another part of the command. */
const NOT_PLANNING = [
  ...["--all", "--json", "--out", "--detailed-exitcode", "--destroy", "--require-approval"],
  ...["--markdown", "--markdown-limit", "--markdown-marker", "--html"],
  ...["--from-snapshot", "--max-age", "--skip-synth"],
];

const planning = (() => {
  const plan = makeProgram(
    async () => undefined,
    () => undefined,
  ).commands.find((one) => one.name() === "plan");
  return (plan?.options ?? []).filter(({ long }) => !NOT_PLANNING.includes(long ?? ""));
})();

/** The engine's options for these words. */
async function told(words: readonly string[]): Promise<object> {
  let options = {};
  const program = makeProgram(
    async (_verb, _operands, flags) => {
      options = planOptions(flags, { folder: "/project", environment: {} } as Io);
    },
    () => undefined,
  );
  await program.parseAsync(["plan", ...words], { from: "user" });
  return options;
}

test.each(planning.map(({ long = "", required, optional }) => [long, required || optional] as const))(
  "what %s says of a plan reaches the engine",
  async (flag, hasValue) => {
    const words = hasValue ? [`${flag}=${flag === "--var" ? "region=eu" : "7"}`] : [flag];
    expect(await told(words)).not.toEqual(await told([]));
  },
);
