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

Tokens and what cannot be read back are kept in \`.tenancy/credentials.json\`. Set \`TENANCY_STORE_KEY\` to encrypt it (once
with \`tenancy apply --encrypt-store\`, if the file is there already); then it may be committed, as the workflow in \`.github\` does.
`;
}
