/** Secrets that users configure. Each says whose it is, and is spelt otherwise in JSON, in URLs and in base64. */

export function accountPassword(name: string, version: number): string {
  return `canary "${name}" \\ ${version} +/é&`;
}

export function userPassword(login: string, version: number): string {
  return `canary '${login}' \\ "${version}" +/é&`;
}

export const DEPLOYER_PASSWORD = 'canary "deployer" \\ +/é&';

export const INSIDER_PASSWORD = 'canary "insider" \\ +/é&';

/** Secret of one-time codes, in base32 as an app shows it. */
export const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

export const SYSTEM_PASSWORD = 'canary "system" \\ +/é&';
