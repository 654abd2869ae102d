import { commandWords } from "../../src/state/helper";
import { unfitHelperCommand } from "../../src/problems";
import { thrown } from "../support/thrown";

test.each<[string, string[]]>([
  ["vault-helper", ["vault-helper"]],
  ["  node  helper.mjs\t--prefix tenancy ", ["node", "helper.mjs", "--prefix", "tenancy"]],
  [`node "my helper.mjs" 'two  words'`, ["node", "my helper.mjs", "two  words"]],
  [`a\\ b c`, ["a b", "c"]],
  [`--name="a b"'c d'e`, ["--name=a bc de"]],
  [`"say \\"hi\\" \\n" 'a\\b'`, [`say "hi" \\n`, "a\\b"]],
  [`"" ''`, ["", ""]],
  [`$HOME *.mjs ; |`, ["$HOME", "*.mjs", ";", "|"]],
])("the command %s is split into words as a shell does", (command, words) => {
  expect(commandWords(command)).toEqual(words);
});

test.each(["'open", `node "open`, "node open'", "trailing\\"])(
  "%s is refused: a quote is open",
  (command) => {
    expect(() => commandWords(command)).toThrow("not closed");
  },
);

test.each(["", "  "])("%j is refused: there is no program", (command) => {
  expect(() => commandWords(command)).toThrow(thrown(unfitHelperCommand));
});
