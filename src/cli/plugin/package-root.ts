import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package that this code is part of, bundled or not. */
export function packageRoot(from: string = __dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const parent = dirname(from);
  return parent === from ? from : packageRoot(parent);
}
