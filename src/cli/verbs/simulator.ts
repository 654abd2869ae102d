/** `tenancy simulator`: the embedded service, until it is told to stop. */
import { resolve } from "node:path";
import { serve } from "../../simulator";
import { EXIT } from "../exit-code";
import type { SimulatorFlags } from "../flags";
import type { Verb } from "./verb";

export const simulator: Verb<SimulatorFlags> = async ({ flags }, { io, screen }) => {
  await serve(
    {
      ...(flags.port !== undefined && { port: flags.port }),
      ...(flags.data !== undefined && { dataFile: resolve(io.folder, flags.data) }),
    },
    (line) => screen.print(line),
  );
  return EXIT.ok;
};
