/** Parameters of the log-in (spec 4.2). */
import { oneOf, text } from "./parameter";

export const tokenCreate = {
  grant_type: oneOf("password").mandatory(),
  username: text().mandatory(),
  password: text().mandatory(),
};
