/** A plan for each pull request; what is merged is applied. */
export function workflow(): string {
  return `name: tenancy
on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: write

concurrency: tenancy

env:
  TENANCY_USERNAME: \${{ secrets.TENANCY_USERNAME }}
  TENANCY_PASSWORD: \${{ secrets.TENANCY_PASSWORD }}
  # Encrypts the credential store, which is then committed.
  TENANCY_STORE_KEY: \${{ secrets.TENANCY_STORE_KEY }}

jobs:
  tenants:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm test
      - run: npx tenancy plan --out plan.json
      - if: github.event_name == 'push'
        run: npx tenancy apply plan.json
      - if: github.event_name == 'push' && always()
        run: |
          test -n "$TENANCY_STORE_KEY" && test -e .tenancy || exit 0
          git add --force .tenancy
          git diff --cached --quiet && exit 0
          git -c user.name=tenancy -c user.email=tenancy@localhost commit -m "Credential store"
          git push
`;
}
