/** Covers src/lib/values/diagnostic-reports.ts. */
import { hideEnvironmentFromReports } from "../../../src/lib/values";

test("no diagnostic report of Node holds the environment", () => {
  process.report.reportOnFatalError = true;
  hideEnvironmentFromReports();
  const { environmentVariables } = process.report.getReport() as { environmentVariables?: object };
  if ("excludeEnv" in process.report) expect(environmentVariables).toBeUndefined();
  else expect(process.report.reportOnFatalError).toBe(false);
  process.report.reportOnFatalError = false;
});
