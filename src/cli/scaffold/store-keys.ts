/** Says how the key of the credential store is made and kept. */

/** Makes the key of a stack's store in a file that git ignores, unless it is there already. The only copy is never deleted. */
export function makeStoreKey(stack: string): string {
  return `test -e store-key-${stack} || (umask 077 && openssl rand -base64 32 > store-key-${stack})`;
}

export const KEEP_STORE_KEYS = `# Put each store-key-... into your team's password manager, as nobody can recover it and no laptop opens the store without it. Only then: rm store-key-*
# To prove that a key opens the store, after the first apply: TENANCY_STORE_KEY=... npx tenancy store status`;
