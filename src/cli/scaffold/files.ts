/** The files of a new project. */
import type { Answers } from "./answers";
import { cdktfJson, gitignore, jestConfig, packageJson, tsconfigJson } from "./configuration";
import { mainFile, stackFile, testFile } from "./program";
import { readme } from "./readme";
import { workflow } from "./workflow";

/** Text of each file, by its path in the project. */
export function projectFiles(answers: Answers): Readonly<Record<string, string>> {
  return {
    "package.json": packageJson(answers),
    "tsconfig.json": tsconfigJson(),
    "cdktf.json": cdktfJson(answers),
    "jest.config.js": jestConfig(),
    "main.ts": mainFile(),
    "platform.ts": stackFile(answers),
    "platform.test.ts": testFile(),
    "README.md": readme(answers),
    ".gitignore": gitignore(),
    ".github/workflows/tenancy.yml": workflow(),
  };
}
