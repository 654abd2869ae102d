/** `tenancy simulator`: runs the embedded service until it is told to stop. */
import { resolve } from "node:path";
import { fileUnusable, usage } from "../../problems";
import type * as service from "../../simulator";
import type { SimulatorFlags } from "../flags";
import { EXIT } from "../io";
import type { Verb } from "./verb";

export const simulator: Verb<SimulatorFlags> = async ({ flags }, { io, screen }) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded now: no other verb needs anything of it
  const { serve, UnusableData } = require("../../simulator") as typeof service;
  const options = {
    ...(flags.port !== undefined && { port: flags.port }),
    ...(flags.data !== undefined && { dataFile: resolve(io.folder, flags.data) }),
  };
  await serve(options, (line) => screen.print(line)).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UnusableData)
      throw fileUnusable.error({
        file: error.path,
        problem: error.problem,
        advice: "Name another file, or move this one away to start afresh.",
      });
    if (error.syscall !== "listen") throw error;
    throw usage.error({
      problem: `cannot listen on the port ${flags.port ?? 0} (${error.code ?? error.message})`,
      advice: "Choose another --port.",
    });
  });
  return EXIT.ok;
};
