import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCaFile } from "../../../src/api";
import { OTHER_CERTIFICATE, SERVICE_CERTIFICATE } from "../../support/certificates";
import { failure } from "../../support/test-client";

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), "tenancy-ca-"))));
afterAll(() => rm(folder, { recursive: true }));

async function file(text: string): Promise<string> {
  const path = join(folder, "ca.pem");
  await writeFile(path, text);
  return path;
}

test("all certificates of a file are read, whatever stands between them", async () => {
  const path = await file(`# ours\r\n${SERVICE_CERTIFICATE.cert}\nsubject=x\n${OTHER_CERTIFICATE.cert}`);
  expect((await readCaFile(path)).match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
});

test.each([
  ["an empty file", "", "no certificate"],
  ["a key", SERVICE_CERTIFICATE.key, "no certificate"],
  [
    "a broken certificate",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
    "certificate 1 in it is broken",
  ],
])("%s is refused", async (_case, text, why) => {
  expect(await failure(readCaFile(await file(text)))).toMatchObject({
    code: "TENANCY_INVALID_SETTING",
    message: expect.stringContaining(why) as string,
    where: { file: join(folder, "ca.pem") },
  });
});

test.each([
  ["fifo", "it is not a regular file"],
  ["none.pem", "no such file"],
  [".", "a folder"],
])("a path to %s is no file, and does not make the run wait", async (name, why) => {
  if (name === "fifo") execFileSync("mkfifo", [join(folder, name)]);
  const message = expect.stringContaining(why) as string;
  expect(await failure(readCaFile(join(folder, name)))).toMatchObject({ message });
});
