/** The program that Terraform starts. */
// Past the door: this alone is loaded before the greeting.
import { serveProvider } from "./runtime/greeting";

void serveProvider(async () => {
  const { beFrugal } = await import("./memory.js");
  beFrugal();
  const { createProvider } = await import("./provider/index.js");
  return createProvider(process.env);
});
