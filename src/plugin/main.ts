/** The program that Terraform starts. */
// From its own file, which alone is loaded before the greeting.
import { serveProvider } from "./runtime/serve";

void serveProvider(async () => {
  const { beFrugal } = await import("./frugality.js");
  beFrugal();
  const { createProvider } = await import("./provider/index.js");
  return createProvider(process.env);
});
