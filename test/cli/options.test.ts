/** The types of flags against what Commander hands over: covers src/cli/options.ts. The compiler checks the names and the types. */
import { type Flags, makeProgram, type VerbName } from "../../src/cli/program";

async function flagsOf<Name extends VerbName>(verb: Name, words: readonly string[]): Promise<Flags<Name>> {
  let given = {};
  const program = makeProgram(
    async (_verb, _operands, flags) => {
      given = flags;
    },
    () => undefined,
  );
  await program.parseAsync([...verb.split(" "), ...words], { from: "user" });
  return given as Flags<Name>;
}

test("a flag has the last of its names, in camel case and without no-, and what is read from its text", async () => {
  const words = ["--target=a", "--only=b", "--no-prune", "--max-deletes=3", "--allow-account-deletion=x,y"];
  expect(await flagsOf("plan", [...words, "--detailed-exitcode", "--max-age=2d"])).toEqual<Flags<"plan">>({
    color: true,
    only: ["a", "b"],
    prune: false,
    maxDeletes: 3,
    allowAccountDeletion: ["x", "y"],
    detailedExitcode: true,
    maxAge: "2d",
  });
});

test("a flag whose value may be left out is true then", async () => {
  expect((await flagsOf("apply", ["--from-snapshot"])).fromSnapshot satisfies string | true | undefined).toBe(
    true,
  );
  expect((await flagsOf("apply", ["--from-snapshot", "file"])).fromSnapshot).toBe("file");
});

test("a flag is one of the values that it allows", async () => {
  const { language } = await flagsOf("export", ["--language=hcl"]);
  expect(language satisfies "typescript" | "hcl" | undefined).toBe("hcl");
});

test("an option that has to be given is always there", async () => {
  const { out } = await flagsOf("snapshot", ["--out=file"]);
  expect(out satisfies string).toBe("file");
  await expect(flagsOf("snapshot", [])).rejects.toThrow("required option '--out <file>' not specified");
});

test("variables and files of variables are in one list, in the order in which they were typed", async () => {
  const { variables } = await flagsOf("token rotate", ["name", "--var=a=1", "--var-file=f", "--var=a=2"]);
  expect(variables).toEqual([
    { option: "var", text: "a=1" },
    { option: "var-file", text: "f" },
    { option: "var", text: "a=2" },
  ]);
});
