/** The log-in (spec 4.2, 5). */
import { header } from "../access/authenticate";
import { toJson } from "../json";
import { logIn } from "../operations/tokens";
import { oneOf, text } from "../parameters/parameter";
import type { Service } from "../service";
import { created } from "./answer";
import type { Route } from "./route";

/** Parameters of the log-in (spec 4.2). */
const tokenCreate = {
  grant_type: oneOf("password").mandatory(),
  username: text().mandatory(),
  password: text().mandatory(),
};

export function oauth2Routes(service: Service): readonly Route[] {
  const { settings } = service;
  return [
    {
      method: "POST",
      path: "/api/oauth2/token",
      title: "Exchange a password for a time-limited token",
      parameters: tokenCreate,
      answer: (call) => {
        const { username, password } = call.read(tokenCreate);
        const otp = header(call.headers, settings.otpHeader);
        const { caller, session, access_token } = logIn(service, {
          username,
          password,
          otp,
          addr: call.addr,
        });
        const { account, profile } = caller;
        return created(
          toJson({
            access_token,
            token_type: "Bearer",
            expires_in: settings.tokenLifetimeSeconds,
            user: {
              account: { serial: account.serial, name: account.name, id: account.id },
              id: session.id,
              user: { serial: profile.serial, name: profile.login, id: profile.id },
            },
          }),
        );
      },
    },
  ];
}
