// A file of its own since the build puts the bytes in its place (`.ci/build/plugin.mjs`).

/** Bytes of the answer to `GetProviderSchema`. Undefined in the sources: the answer is made when Terraform asks for it. */
export const schemaAnswer: Uint8Array | undefined = undefined;
