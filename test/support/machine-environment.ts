/**
 * The environment of a user's shell without the variables that the command reads. npm may need the rest to reach its registry: proxies,
 * certificates, settings.
 */
export function machineEnvironment(): Readonly<Record<string, string | undefined>> {
  const ours = /^(CI|TENANCY_.*|TF_.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
