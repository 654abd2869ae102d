import { spawnSync } from "node:child_process";
import { InvalidArgumentError } from "commander";
import {
  collect,
  names,
  portNumber,
  positiveNumber,
  prepareArguments,
  typedCommand,
  wholeNumber,
} from "../../src/cli/arguments";
import { shellWord } from "../../src/lib/values";

/** The value of a flag, as the command reads it. */
const valueOf = (argument: string | undefined) => names((argument ?? "").replace(/^[^=]*=/, ""));

test("--allow-account-deletion allows all accounts by itself, and takes no name that stands after it", () => {
  const [flag, stack] = prepareArguments(["--allow-account-deletion", "prod"]);
  expect(valueOf(flag)).toBe(true);
  expect(stack).toBe("prod");
  expect(valueOf(prepareArguments(["--allow-account-deletion=acme, globex"])[0])).toEqual(["acme", "globex"]);
});

test("what stands after -- is no flag", () => {
  const words = ["token", "--", "--allow-account-deletion"];
  expect(prepareArguments(words)).toEqual(words);
});

test("an empty name in a list is refused", () => {
  for (const list of ["", ",", "acme,", "acme, ,globex"])
    expect(() => names(list)).toThrow(InvalidArgumentError);
});

test("an option that is given again adds to its list", () => {
  expect(collect("b", collect("a", undefined))).toEqual(["a", "b"]);
});

test("numbers are whole, and in the range that their option has", () => {
  expect([wholeNumber("0"), positiveNumber("1"), portNumber("65535")]).toEqual([0, 1, 65_535]);
  for (const word of ["", "-1", "1.5", "1e3", "0x10", " 1", "9999999999"])
    expect(() => wholeNumber(word)).toThrow("It must be a whole number, zero or more.");
  expect(() => positiveNumber("0")).toThrow("It must be at least 1.");
  expect(() => portNumber("65536")).toThrow("It must be at most 65535.");
});

test("names of several times add up, and all are all", () => {
  expect(names("acme,globex", ["initech"])).toEqual(["initech", "acme", "globex"]);
  expect(names("acme", true)).toBe(true);
});

test("a command line that is shown can be pasted into a shell", () => {
  const words = ["plan", "it's", "a b", "$HOME", "`id`", "*", "", "\\", "--var=name=value", "user@acme/prod"];
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\n' ${words.map(shellWord).join(" ")}`], {
    encoding: "utf8",
  });
  expect(stdout).toBe(`${words.join("\n")}\n`);
  expect(typedCommand(["plan", "*"])).toBe("tenancy plan '*'");
});
