/** Lets a campaign of the team derive the state's keys at no cost: most of its time would go there. Has to be imported before the product is. */
import crypto from "node:crypto";

if (process.argv.includes("team")) {
  const derive = crypto.scrypt;
  Object.assign(crypto, {
    scrypt: (
      password: string,
      salt: Buffer,
      length: number,
      _options: object,
      callback: (error: Error | null, key: Buffer) => void,
    ) => derive(password, salt, length, { N: 2, r: 1, p: 1 }, callback),
  });
}
