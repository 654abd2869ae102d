/** Health, and who the caller is (spec 4.2). */
import type { Caller } from "../access/caller";
import type { Service } from "../service";
import { timestamp } from "../views/common";
import { permissionsView } from "../views/user-profile";
import { ok } from "./answer";
import type { Route } from "./route";

export function statusRoutes(service: Service): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/status",
      title: "Health of the service",
      answer: () => ok({ status: 200, message: "ok" }),
    },
    {
      method: "GET",
      path: "/api/status/authorization",
      title: "The credential that the request is made with",
      answer: (call) => ok(describe(call.caller(), service)),
    },
  ];
}

function describe(caller: Caller, { settings }: Service) {
  const { permissions = true, user = true } = settings.describeCaller ?? {};
  const { account, profile } = caller;
  return {
    ...credentialMembers(caller),
    ...(user &&
      caller.credential.kind !== "basic" && {
        user: { serial: profile.serial, name: profile.login, id: profile.id },
      }),
    ...(permissions && { permissions: permissionsView(profile.permissions) }),
  };

  function credentialMembers({ credential }: Caller) {
    if (credential.kind === "basic") return { type: "basic", serial: profile.serial };
    const { created_ms } = credential.kind === "session" ? credential.session : credential.authorization;
    return { account: { serial: account.serial, name: account.name }, created_at: timestamp(created_ms) };
  }
}
