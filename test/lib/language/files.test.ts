/** What the file functions read, and what they refuse, with real files, links, fifos and devices: covers src/lib/language/functions/files.ts. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate, parseExpression } from "../../../src/lib/language";
import { type ExpressionError, expressionFailed } from "../../../src/problems";
import { scopeOf } from "./support";
import { thrown } from "../../support/thrown";

const READERS = ["file", "filebase64", "filemd5", "filesha256", "fileexists"] as const;

let base: string;
let project: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "tenancy-files-")));
  project = join(base, "project");
  mkdirSync(join(project, "cdktf.out"), { recursive: true });
  mkdirSync(join(project, ".tenancy"));
  mkdirSync(join(base, "shared"));
  writeFileSync(join(project, "users.csv"), "jane");
  writeFileSync(join(project, ".tenancy", "state.json"), "{}");
  writeFileSync(join(base, "shared", "key.pem"), "shared");
  writeFileSync(join(base, "secret.txt"), "secret");
  symlinkSync(join(base, "secret.txt"), join(project, "link.txt"));
  symlinkSync(join(project, "users.csv"), join(project, "inner.csv"));
  symlinkSync(base, join(project, "up"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function valueIn(text: string, readable: readonly string[] = [project]): unknown {
  return evaluate(parseExpression(text), scopeOf({}, { folder: join(project, "cdktf.out"), readable }));
}

function refusal(text: string, readable?: readonly string[]): ExpressionError {
  try {
    valueIn(text, readable);
  } catch (error) {
    expect(error).toEqual(thrown(expressionFailed));
    return error as ExpressionError;
  }
  throw new Error(`${text} was read`);
}

test("files inside the project's folder are read, from the stack's folder on, by way of links too", () => {
  expect(valueIn('file("../users.csv")')).toBe("jane");
  expect(valueIn('file("../inner.csv")')).toBe("jane");
  expect(valueIn(`file("${project}/users.csv")`)).toBe("jane");
  expect(valueIn('fileexists("../none.csv")')).toBe(false);
});

test.each(READERS)("%s reads nothing outside of the project's folder", (name) => {
  for (const path of ["/proc/self/environ", "../../secret.txt", "../link.txt", "../up/secret.txt", "/none"]) {
    const { message, advice } = refusal(`${name}("${path}")`);
    expect(message).toBe(`${name}: "${path}" leads outside of the project's folder`);
    expect(advice).toContain("--allow-files DIR");
  }
});

test("templates and lists of files end at the project's folder, too", () => {
  expect(refusal('templatefile("/proc/self/environ", {})').message).toContain(
    "outside of the project's folder",
  );
  expect(refusal('fileset("../..", "*")').message).toContain("outside of the project's folder");
  expect([...(valueIn('fileset("..", "*")') as Iterable<string>)]).toEqual(["inner.csv", "users.csv"]);
});

test("a folder that the run allows is read besides, and no other", () => {
  const readable = [project, join(base, "shared")];
  expect(valueIn(`file("${base}/shared/key.pem")`, readable)).toBe("shared");
  expect(refusal(`file("${base}/secret.txt")`, readable).message).toContain("outside");
});

test("the state is no file of the stack", () => {
  expect(refusal('file("../.tenancy/state.json")').message).toContain("the state's folder");
});

test("a fifo, a device and a folder are no files, and none of them makes the run wait", () => {
  execFileSync("mkfifo", [join(project, "fifo")]);
  expect(refusal('file("../fifo")').message).toContain("it is not a regular file");
  expect(refusal('filesha256("../fifo")').message).toContain("it is not a regular file");
  expect(refusal('file("/dev/zero")', ["/dev"]).message).toContain("it is not a regular file");
  expect(refusal('file("..")').message).toContain("it is a folder");
});

test("a file larger than 64 MiB is not read", () => {
  writeFileSync(join(project, "large"), "");
  truncateSync(join(project, "large"), 64 * 2 ** 20 + 1);
  expect(refusal('filemd5("../large")').message).toContain("it is larger than 64 MiB");
});
