import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../../src/errors";
import { advice } from "../../../src/plugin/provider/advice";
import { toTerraform } from "../../../src/plugin/provider/findings";

const SRC = join(__dirname, "../../../src");

/** What Terraform has not: flags, verbs and other things of the command. */
const OF_THE_COMMAND = /(?:pass|or) --[a-z]|`tenancy |embedded engine|TENANCY_OTP/;

/** Sources of what the provider is made of, but for what it shares with nobody. */
const sources = ["api", "connection", "ownership", "resources", "schema"]
  .flatMap((folder) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(SRC, file), "utf8"))
  .join("\n");

/** What the constructor of an error says, which is what stands in its file after the explanation. */
const constructors = new Map(
  readdirSync(join(SRC, "errors"))
    .map((file) => readFileSync(join(SRC, "errors", file), "utf8"))
    .flatMap((text) => {
      const name = /class (\w+) extends/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text.slice(text.indexOf("constructor("))] as const];
    }),
);

function codeOf(name: string): string {
  return (errors as unknown as Record<string, errors.ErrorClass>)[name]!.code;
}

test("whoever runs Terraform is not told to use what only the command has", () => {
  const raised = [...constructors].filter(([name]) => sources.includes(`new ${name}(`));
  const needOther = raised.filter(([, text]) => OF_THE_COMMAND.test(text)).map(([name]) => codeOf(name));
  expect(needOther.length).toBeGreaterThan(3);
  expect([...advice.keys()]).toEqual(expect.arrayContaining(needOther));
  expect([...advice.values()].join("\n")).not.toMatch(OF_THE_COMMAND);
});

test("an account that may not go is told of with the attribute that allows it", () => {
  const [refused] = toTerraform(new errors.AccountDeletionRefused("acme").toDiagnostics());
  expect(refused?.detail).toBe(
    "If that is intended, apply `deletion_protection = false` first.\nTENANCY_ACCOUNT_DELETION",
  );
});
