/** Keeps secrets out of Node's diagnostic reports. A file of its own since the command and the provider both begin with it. */

/** Such reports hold the environment, and with it the password. `NODE_OPTIONS` may ask for them, for a crash or a signal. */
export function hideEnvironmentFromReports(): void {
  const report = process.report as typeof process.report & { excludeEnv?: boolean };
  if ("excludeEnv" in report) {
    report.excludeEnv = true;
    return;
  }
  // Node 20 cannot leave the environment out.
  Object.assign(report, {
    reportOnFatalError: false,
    reportOnSignal: false,
    reportOnUncaughtException: false,
  });
}
