/** Which command runs which suites: covers .config/jest.config.cjs and the scripts of package.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "../package.json";

const { projects } = jest.requireActual<{ readonly projects: readonly { readonly displayName: string }[] }>(
  "../.config/jest.config.cjs",
);
const all = projects.map(({ displayName }) => displayName);

/** The projects that a script selects. */
function selectedBy(script: "test" | "test:rest"): readonly string[] {
  const [, words = ""] = / --selectProjects (.*) --config /.exec(scripts[script]) ?? [];
  return words.split(" ");
}

test("npm test and npm run test:rest run together each suite once, and CI runs both", () => {
  expect([...selectedBy("test"), ...selectedBy("test:rest")].sort()).toEqual([...all].sort());
  const steps = readFileSync(join(__dirname, "../.ci/run"), "utf8");
  expect(steps.match(/^npm (run )?test\S*/gm)).toEqual(["npm test", "npm run test:rest"]);
});

test("npm run test:all selects no projects, so that it runs all", () => {
  expect(scripts["test:all"]).toBe("jest --config .config/jest.config.cjs");
});
