/** `tenancy simulator`: runs the embedded service until it is stopped. */
import { usage } from "../../problems";
import type * as service from "../../lib/simulator";
import { type LiveOptions, snapshotRecords } from "../../engine";
import { snapshotOptions } from "../flags";
import { EXIT, type Io } from "../io";
import type { Verb } from "./verb";

export const simulator: Verb<"simulator"> = async ({ flags }, { io, screen }) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded now: no other verb needs anything of it
  const { serve } = require("../../lib/simulator") as typeof service;
  const { fromSnapshot } = snapshotOptions(flags, io);
  const records = fromSnapshot && (await seedRecords(fromSnapshot, io));
  const options = {
    ...(records !== undefined && { records }),
    ...(flags.port !== undefined && { port: flags.port }),
  };
  await serve(options, (line) => screen.print(line)).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== "listen") throw error;
    throw usage.error({
      problem: `cannot listen on the port ${flags.port ?? 0} (${error.code ?? error.message})`,
      advice: "Choose another --port.",
    });
  });
  return EXIT.ok;
};

/** The snapshot's records of one service: the only one, or the one that the environment names. */
async function seedRecords(live: LiveOptions, { environment }: Io): Promise<service.SeedRecords> {
  const services = await snapshotRecords(live, { environment });
  const baseUrl = environment["TENANCY_BASE_URL"] ?? "";
  const matching = services.filter(
    ({ origin }) => URL.canParse(baseUrl) && new URL(baseUrl).origin === origin,
  );
  const [match, ...others] = services.length > 1 ? matching : services;
  if (match === undefined || others.length > 0)
    throw usage.error({
      problem: `the snapshot holds ${services.map(({ origin }) => origin).join(", ") || "no service"}`,
      advice: "Say with TENANCY_BASE_URL which of them to simulate.",
    });
  return match;
}
