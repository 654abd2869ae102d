/**
 * The environment as a user's shell has it, without what is meant for the command. npm may need it to reach its registry: proxies,
 * certificates, settings.
 */
export function machineEnvironment(): Readonly<Record<string, string | undefined>> {
  const ours = /^(CI|TENANCY_.*|TF_.*)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
