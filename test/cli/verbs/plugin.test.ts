import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { installPlugin } from "../../../src/cli/verbs/plugin";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

async function release(text: string, ...names: readonly string[]): Promise<string> {
  const source = join(folder(), text);
  await mkdir(source);
  for (const name of names) await writeFile(join(source, name), text);
  return source;
}

const install = (source: string) =>
  installPlugin({ source, version: "0.1.0", plugins: folder(), platforms: ["linux_amd64"] });

test("an installation over another one leaves no moment without a provider, and nothing of the one before", async () => {
  const [first, second] = [
    await release("first", "launcher", "provider.cjs", "old.cjs"),
    await release("second", "launcher", "provider.cjs"),
  ];
  const places = (await install(first)).map((place) => join(place, "linux_amd64"));
  let isInstalling = true;
  const watching = (async () => {
    let gaps = 0;
    while (isInstalling) {
      for (const place of places)
        for (const name of ["launcher", "provider.cjs"]) if (!existsSync(join(place, name))) gaps++;
      await setImmediate();
    }
    return gaps;
  })();
  for (let turn = 0; turn < 50; turn++) await install(turn % 2 === 0 ? first : second);
  await install(second);
  isInstalling = false;
  expect(await watching).toBe(0);
  for (const place of places) {
    expect((await readdir(place)).sort()).toEqual(["launcher", "provider.cjs"]);
    expect(await readFile(join(place, "launcher"), "utf8")).toBe("second");
    expect((await stat(join(place, "launcher"))).mode & 0o777).toBe(0o755);
    expect(await readdir(join(place, ".."))).toEqual(["linux_amd64"]);
  }
});
