import type { Answers } from "./answers";

export function readme({ name }: Answers): string {
  return `# ${name}

The tenants of our storage, declared in \`platform.ts\`.

\`\`\`sh
npm install
npm test                                    # without any service: against a simulated one
export TENANCY_USERNAME=… TENANCY_PASSWORD=…
npx tenancy doctor                          # is everything as it should be?
npx tenancy plan
npx tenancy apply
npx tenancy output csi_token --raw
\`\`\`

No service at hand? \`npx tenancy simulator\` is one; what it prints goes into the environment, with its address as \`baseUrl\` in
\`platform.ts\`.

Where tenants make users of their own, set \`TENANCY_OWNER_KEY\` before the first apply, and in the workflow: a secret of 16 characters or more, such as
\`openssl rand -base64 32\` prints. What is yours is told by uuids; with the key nobody else can make one that passes for yours. Keep the key:
without it your own records are strangers.

Tokens and what cannot be read back are kept in \`.tenancy/credentials.json\`. Set \`TENANCY_STORE_KEY\` to encrypt it; then it may be
committed, as the workflow in \`.github\` does.
`;
}
