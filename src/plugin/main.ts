/** The program that Terraform starts. */
import { beFrugal } from "./frugality";
import { serveProvider } from "./runtime";

void serveProvider(async () => {
  beFrugal();
  // Loaded once Terraform has been greeted: it then takes a while to connect.
  const { createProvider } = await import("./provider/index.js");
  return createProvider(process.env);
});
