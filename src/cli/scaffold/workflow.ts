/** Makes the workflow that `tenancy init` writes. */

/** A plan for each pull request; what is merged is applied, one run after the other. */
export function workflow(): string {
  return `name: tenancy
on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

env:
  TENANCY_USERNAME: \${{ secrets.TENANCY_USERNAME }}
  TENANCY_PASSWORD: \${{ secrets.TENANCY_PASSWORD }}
  # With it, nobody else can make a record that looks like ours. Where the secret is not set, there is no key.
  TENANCY_OWNER_KEY: \${{ secrets.TENANCY_OWNER_KEY }}
  # Encrypts the credential store, which is then committed.
  TENANCY_STORE_KEY: \${{ secrets.TENANCY_STORE_KEY }}
  # Variables of the configuration: TF_VAR_name: \${{ secrets.NAME }}

jobs:
  plan:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm test
      - run: npx tenancy plan

  apply:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    permissions:
      contents: write
    concurrency: tenancy-apply
    steps:
      - uses: actions/checkout@v4
        with:
          # The branch, not the commit: the run before may have committed the store since.
          ref: \${{ github.ref }}
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npx tenancy plan --out plan.json
      - run: npx tenancy apply plan.json
      - name: Keep the credential store
        if: always()
        run: |
          test -n "$TENANCY_STORE_KEY" && test -e .tenancy || exit 0
          git add --force .tenancy
          git diff --cached --quiet && exit 0
          git config user.name tenancy
          git config user.email tenancy@localhost
          git commit -m "Credential store"
          # The branch may have moved on meanwhile.
          for attempt in 1 2 3; do git pull --rebase && git push && exit 0; done
          exit 1
`;
}
