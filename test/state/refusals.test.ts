/** States that are refused, and what the refusal says: covers src/state/state.ts and sealer.ts. */
import { chmod, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { partName, openState } from "../../src/state";
import { TenancyError } from "../../src/problems";
import { temporaryFolder } from "../support/temp-folder";
import { CANARY, csiToken, intent, jane, ORIGIN, OWNER, writeState } from "./samples";
import { stateKey } from "../support/state-key";

const folder = temporaryFolder();
const path = () => join(folder(), "state.json");

/** Asks for the part, as a plan does and as an apply does; expects the refusal of both, and the file untouched. */
async function refusal(options: { key?: string } = {}): Promise<TenancyError> {
  const before = await readFile(path()).catch(() => undefined);
  const errors: unknown[] = [];
  for (const locked of [false, true]) {
    const state = openState({ path: path(), ...options });
    if (locked) await state.lock();
    await state.part(partName(ORIGIN, OWNER, "tenancy")).catch((error: unknown) => errors.push(error));
    if (locked) await state.save();
    await state.unlock();
  }
  expect(await readFile(path()).catch(() => undefined)).toEqual(before);
  expect(errors).toHaveLength(2);
  const [error] = errors;
  if (!(error instanceof TenancyError)) throw error;
  for (const { summary, detail, advice } of error.toDiagnostics())
    expect(`${summary} ${detail} ${advice} ${String(error.cause)}`).not.toContain("canary");
  return error;
}

test("a plain state that others can read is refused, with the way to mend it", async () => {
  await writeState(path());
  for (const mode of [0o640, 0o604, 0o620, 0o601]) {
    await chmod(path(), mode);
    const error = await refusal();
    expect(error.code).toBe("TENANCY_STATE_EXPOSED");
    expect(error.message).toContain(`mode 0${mode.toString(8)}`);
    expect(error.advice).toContain(`chmod 600 '${path()}'`);
  }
  await chmod(path(), 0o400);
  expect((await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(true);
});

test("a plain state that others can read is refused with a key, too", async () => {
  await writeState(path());
  await chmod(path(), 0o644);
  expect((await refusal({ key: stateKey("open sesame, please") })).code).toBe("TENANCY_STATE_EXPOSED");
});

test("an encrypted state may be readable: a checkout from git makes it so", async () => {
  await writeState(path(), stateKey("open sesame, please"));
  await chmod(path(), 0o644);
  const part = await openState({ path: path(), key: stateKey("open sesame, please") }).part(
    partName(ORIGIN, OWNER, "tenancy"),
  );
  expect(part.tokens.list()).toEqual([csiToken]);
});

test("an encrypted state without a key is refused", async () => {
  await writeState(path(), stateKey("open sesame, please"));
  expect((await refusal()).code).toBe("TENANCY_STATE_KEY_MISSING");
});

test("an encrypted state is refused with another key", async () => {
  await writeState(path(), stateKey("open sesame, please"));
  const error = await refusal({ key: stateKey("open Sesame, please") });
  expect(error.code).toBe("TENANCY_STATE_KEY_WRONG");
  expect(error.message).not.toContain("esame");
});

test("a state of a later format is refused by its version", async () => {
  for (const version of ["4", "9007199254740993"]) {
    await writeFile(path(), `{"format":"tenancy-state","version":${version},"parts":"${CANARY}"}`, {
      mode: 0o600,
    });
    const error = await refusal();
    expect(error.code).toBe("TENANCY_STATE_NEWER");
    expect(error.message).toContain(`version ${version}; this release knows versions up to 3`);
  }
});

test.each([
  ["", "it is empty"],
  [" \n", "it is empty"],
  [CANARY, "it is not JSON"],
  [`{"format":"tenancy-state","version":3,"canary":`, "it is not JSON"],
  ["null", "it is not a state"],
  [`["${CANARY}"]`, "it is not a state"],
  [`{"format":"${CANARY}","version":3}`, "it is not a state"],
  [`{"__proto__":{"format":"tenancy-state","version":3,"parts":[]}}`, "it is not a state"],
  [`{"format":"tenancy-state","parts":[]}`, "its format has no version"],
  [
    `{"format":"tenancy-state","version":2,"parts":[]}`,
    "its format has the version 2, which no release reads",
  ],
  [`{"format":"tenancy-state","version":0,"parts":[]}`, "its format has no version"],
  [`{"format":"tenancy-state","version":1.5,"parts":[]}`, "its format has no version"],
  [`{"format":"tenancy-state","version":"1","parts":[]}`, "its format has no version"],
  [
    `{"format":"tenancy-state","version":3,"sequence":1,"encryption":{"kdf":"scrypt"},"ciphertext":"${CANARY}"}`,
    "it is encrypted in a format that no release reads",
  ],
  [`{"format":"tenancy-state","version":3}`, "parts is not a list"],
  [`{"format":"tenancy-state","version":3,"parts":{}}`, "parts is not a list"],
  [`{"format":"tenancy-state","version":3,"parts":["${CANARY}"]}`, "parts[0] is not an object"],
])("a state that holds %s is refused as damaged", async (text, fault) => {
  await writeFile(path(), text, { mode: 0o600 });
  const error = await refusal();
  expect(error.code).toBe("TENANCY_STATE_CORRUPT");
  expect(error.message).toContain(`${path()} is damaged: ${fault}`);
});

test("bytes that are not text are refused", async () => {
  await writeFile(path(), Buffer.from([0x7b, 0xff, 0x7d]), { mode: 0o600 });
  expect((await refusal()).message).toContain("it is not text");
});

test("a state cut short anywhere is refused", async () => {
  await writeState(path());
  const whole = await readFile(path());
  for (const length of [0, 1, Math.floor(whole.length / 2), whole.length - 3]) {
    await writeFile(path(), whole);
    await truncate(path(), length);
    expect((await refusal()).code).toBe("TENANCY_STATE_CORRUPT");
  }
});

test("an encrypted state cut short anywhere is refused, and so is other text in its armor", async () => {
  const key = stateKey("open sesame, please");
  await writeState(path(), key);
  const whole = await readFile(path(), "utf8");
  const middle = whole.indexOf("\n", whole.length / 2);
  for (const text of [
    whole.slice(0, 40),
    whole.slice(0, middle),
    whole.slice(0, -3),
    whole.replace(/\n\w+/, "\né"),
  ]) {
    await writeFile(path(), text);
    expect((await refusal({ key })).code).toBe("TENANCY_STATE_CORRUPT");
  }
  await writeFile(path(), whole.slice(0, middle) + whole.slice(whole.indexOf("\n", middle + 1)));
  expect((await refusal({ key })).code).toBe("TENANCY_STATE_KEY_WRONG");
});

type Step = string | number;
const part: Step[] = ["parts", 0];
const token: Step[] = [...part, "tokens", 0];
const remembered: Step[] = [...part, "objects", "objects", jane.key];

test.each<[Step[], unknown, string]>([
  [[...part, "key"], "AAAA", "parts[0].key is not 32 bytes in base64"],
  [[...part, "key"], "not base64", "parts[0].key is not 32 bytes in base64"],
  [[...part, "key"], 5, "parts[0].key is not a string"],
  [[...part, "origin"], null, "parts[0].origin is not a string"],
  [[...part, "stack"], undefined, "parts[0].stack is not a string"],
  [[...part, "provider"], undefined, "parts[0].provider is not a string"],
  [[...part, "tokens"], {}, "parts[0].tokens is not a list"],
  [[...part, "intents"], null, "parts[0].intents is not a list"],
  [[...part, "failed_revocations"], undefined, "parts[0].failed_revocations is not a list"],
  [[...part, "objects", "objects"], [], "parts[0].objects.objects is not an object"],
  [token, null, "parts[0].tokens[0] is not an object"],
  [[...token, "login"], 1, "parts[0].tokens[0].login is not a string"],
  [[...token, "name"], undefined, "parts[0].tokens[0].name is not a string"],
  [[...token, "record"], [], "parts[0].tokens[0].record is not an object"],
  [[...token, "record", "id"], 1, "parts[0].tokens[0].record.id is not a string"],
  [[...token, "record", "serial"], 1, "parts[0].tokens[0].record.serial is not a string"],
  [[...token, "record", "access_token"], [CANARY], "parts[0].tokens[0].record.access_token is not a string"],
  [[...token, "keepers"], undefined, "parts[0].tokens[0].keepers is not there"],
  [[...token, "sensitive_keepers"], ["a"], "parts[0].tokens[0].sensitive_keepers is not true or false"],
  [[...token, "previous"], null, "parts[0].tokens[0].previous is not a list"],
  [[...token, "previous", 0], CANARY, "parts[0].tokens[0].previous[0] is not an object"],
  [[...token, "previous", 0, "id"], 1, "parts[0].tokens[0].previous[0].id is not a string"],
  [[...token, "previous", 0, "serial"], 1, "parts[0].tokens[0].previous[0].serial is not a string"],
  [
    [...token, "previous", 0, "access_token"],
    1,
    "parts[0].tokens[0].previous[0].access_token is not a string",
  ],
  [
    [...token, "previous", 0, "created_at"],
    1,
    "parts[0].tokens[0].previous[0].created_at is not a string or null",
  ],
  [[...token, "previous", 0, "created_at"], undefined, "previous[0].created_at is not a string or null"],
  [[...token, "previous", 0, "retired_at"], 1, "parts[0].tokens[0].previous[0].retired_at is not a string"],
  [[...part, "tokens", 1], csiToken, "parts[0].tokens[1] is not the only entry of its name"],
  ...["id", "login", "name", "login_with", "started_at"].map<[Step[], unknown, string]>((name) => [
    [...part, "intents", 0, name],
    null,
    `parts[0].intents[0].${name} is not a string`,
  ]),
  [[...part, "intents", 1], intent, "parts[0].intents[1] is not the only entry of its name"],
  ...["login", "name", "id", "serial", "access_token", "failed_at"].map<[Step[], unknown, string]>((name) => [
    [...part, "failed_revocations", 0, name],
    7,
    `parts[0].failed_revocations[0].${name} is not a string`,
  ]),
  [
    [...part, "failed_revocations", 0, "user_id"],
    7,
    "parts[0].failed_revocations[0].user_id is not a string",
  ],
  [remembered, CANARY, "parts[0].objects.objects{0} is not an object"],
  [[...remembered, "uuid"], null, "parts[0].objects.objects{0}.uuid is not a string"],
  [[...remembered, "secrets"], [], "parts[0].objects.objects{0}.secrets is not an object"],
  [[...remembered, "secrets", "password_wo"], 1, "parts[0].objects.objects{0}.secrets{0} is not an object"],
  [[...remembered, "secrets", "password_wo", "version"], [], "version is not a number, string or null"],
  [
    [...remembered, "secrets", "password_wo", "version"],
    undefined,
    "version is not a number, string or null",
  ],
  [
    [...remembered, "secrets", "password_wo", "hash"],
    1,
    "parts[0].objects.objects{0}.secrets{0}.hash is not a string",
  ],
  [[...remembered, "sent"], null, "parts[0].objects.objects{0}.sent is not an object"],
  [[...remembered, "shown"], 1, "parts[0].objects.objects{0}.shown is not an object"],
])("a state is refused as damaged where %j is %j", async (steps, value, fault) => {
  await writeState(path());
  const document = JSON.parse(await readFile(path(), "utf8")) as object;
  const last = steps.at(-1) ?? "";
  const place = steps
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (at, step) => at[step] as Record<string, unknown>,
      document as Record<string, unknown>,
    );
  place[last] = value;
  await writeFile(path(), JSON.stringify(document));
  const error = await refusal();
  expect(error.code).toBe("TENANCY_STATE_CORRUPT");
  expect(error.message).toContain(fault);
});

test("two parts of one name are refused", async () => {
  await writeState(path());
  const document = JSON.parse(await readFile(path(), "utf8")) as { parts: object[] };
  await writeFile(path(), JSON.stringify({ ...document, parts: [...document.parts, ...document.parts] }));
  expect((await refusal()).message).toContain(
    "parts[1] is not the only part of its origin, stack and provider",
  );
});

test("a folder in the state's place is refused", async () => {
  await mkdir(path());
  const error = await refusal();
  expect(error.code).toBe("TENANCY_STATE_UNUSABLE");
  expect(error.message).toContain("is not a regular file");
});

test("a file that is far too large for a state is refused unread", async () => {
  await writeFile(path(), "", { mode: 0o600 });
  await truncate(path(), 257 * 2 ** 20);
  const error = await openState({ path: path() })
    .part(partName(ORIGIN, OWNER, "tenancy"))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "TENANCY_STATE_UNUSABLE",
    message: expect.stringContaining("is far too large") as string,
  });
});

test("what cannot even be opened is refused with the system's reason", async () => {
  const server = createServer().listen(path());
  await once(server, "listening");
  const error = await refusal();
  expect(error.code).toBe("TENANCY_STATE_UNUSABLE");
  expect(error.message).toContain("cannot be read (ENXIO)");
  server.close();
  await once(server, "close");
});

test("a symbolic link is followed, and stays a link", async () => {
  await writeState(path());
  const link = join(folder(), "link.json");
  await symlink("state.json", link);
  const state = openState({ path: link });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.remove(csiToken);
  await expect(openState({ path: path() }).lock({ timeout: 0 })).rejects.toMatchObject({
    code: "TENANCY_STATE_LOCKED",
  });
  await state.save();
  await state.unlock();
  expect((await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual(
    [],
  );
  expect((await readdir(folder())).sort()).toEqual(["link.json", "state.json"]);
});

test("a symbolic link that leads nowhere is refused, and nothing is made where it leads", async () => {
  await symlink(join(folder(), "elsewhere.json"), path());
  const state = openState({ path: path() });
  for (const attempt of [() => state.part(partName(ORIGIN, OWNER, "tenancy")), () => state.lock()])
    await expect(attempt()).rejects.toMatchObject({
      code: "TENANCY_STATE_UNUSABLE",
      message: expect.stringContaining("is a symbolic link that leads nowhere") as string,
    });
  expect(await readdir(folder())).toEqual(["state.json"]);
});

test("a path through something that is no folder is refused", async () => {
  await writeFile(join(folder(), "file"), "");
  const state = openState({ path: join(folder(), "file", "state.json") });
  await expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STATE_UNUSABLE",
    message: expect.stringContaining("cannot be reached (ENOTDIR)") as string,
  });
});

test("what was refused is read again when asked again", async () => {
  await writeState(path());
  await chmod(path(), 0o644);
  const state = openState({ path: path() });
  await expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STATE_EXPOSED",
  });
  await chmod(path(), 0o600);
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
});

test("a draft that a killed run left behind is removed, and was never read", async () => {
  await writeState(path());
  await writeFile(`${path()}.tmp`, CANARY, { mode: 0o600 });
  const state = openState({ path: path() });
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
  await state.lock();
  expect((await readdir(folder())).sort()).toEqual(["state.json", "state.json.lock"]);
  await state.unlock();
});

test("a draft that cannot be written fails the save, and the old state stays", async () => {
  await writeState(path());
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.remove(csiToken);
  await mkdir(join(`${path()}.tmp`, "in-the-way"), { recursive: true });
  await expect(state.save()).rejects.toMatchObject({
    code: "TENANCY_STATE_UNUSABLE",
    message: expect.stringContaining("cannot be written (") as string,
  });
  await state.unlock();
  await state.lock();
  await state.unlock();
  await rm(`${path()}.tmp`, { recursive: true });
  expect((await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([
    csiToken,
  ]);
});
