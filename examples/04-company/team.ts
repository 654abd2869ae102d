import { Permissions, Secret, type Right, type UserProps } from "tenancy";

/** New people start with this password, and change it at the first login. Set it in TF_VAR_first_password. */
const firstPassword = Secret.variable("first_password", {
  description: "First password of new people",
});

/** People of one team: the same rights, and an address in the same domain. */
export function team<Name extends string>(
  domain: string,
  permissions: Permissions,
  ...names: readonly Name[]
): Record<Name, UserProps> {
  const member = (name: Name): [Name, UserProps] => [
    name,
    { email: `${name}@${domain}`, emailNotify: true, password: firstPassword, permissions },
  ];
  return Object.fromEntries(names.map(member)) as Record<Name, UserProps>;
}

/** A machine: only API access, just the rights that it needs, and no password. */
export function machine(...rights: Right[]): UserProps {
  return { access: { web: false, api: true }, permissions: Permissions.none().allow(...rights) };
}
