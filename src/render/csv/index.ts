/** Writes an access review as CSV (RFC 4180), for spreadsheets: a row for each user, and a column for each right. No cell is a formula. */
import { may, type Report, type ReportChanges, rightsIn } from "../../plan";
import { shownName } from "../../lib/values";

/** A row for each user. A right is `yes`, `no effect`, `unknown`, or empty. */
export function reportCsv(report: Report): string {
  const rights = rightsIn(report);
  const head = [...COLUMNS, ...rights];
  const rows = report.services.flatMap(({ origin, users, findings }) => {
    const kindsOfLogin = new Map<string, string[]>();
    for (const { login, kind } of findings) {
      if (login === null) continue;
      const kinds = kindsOfLogin.get(login);
      if (kinds === undefined) kindsOfLogin.set(login, [kind]);
      else if (!kinds.includes(kind)) kinds.push(kind);
    }
    return users.map((user) => [
      origin,
      user.account ?? "",
      user.login,
      user.ownership.claim,
      user.ownership.stack ?? "",
      yesOrNo(user.ownership.declared),
      user.idle.join("; "),
      yesOrNo(user.access.web),
      yesOrNo(user.access.api),
      yesOrNo(user.account_admin),
      user.level === null ? "" : String(user.level),
      user.preset ?? "",
      user.vss_scope === null ? "unknown" : user.vss_scope.join(" "),
      user.node_scope === null ? "unknown" : user.node_scope.join(" "),
      user.two_factor ?? "unknown",
      user.last_activity ?? "unknown",
      user.tokens.map(({ name, serial }) => `${name} (${serial})`).join("; "),
      oldest(user.tokens.map(({ age_days: age }) => age)),
      user.ends.map(({ what, until }) => `${what} until ${until}`).join("; "),
      (kindsOfLogin.get(user.login) ?? []).join("; "),
      ...rights.map((right) => {
        const answer = may(user, right);
        return answer === "no" ? "" : answer;
      }),
    ]);
  });
  return table(head, rows);
}

/** A row for each difference. */
export function changesCsv({ changes }: ReportChanges): string {
  return table(
    ["origin", "kind", "subject", "effect", "what"],
    changes.map(({ origin, kind, subject, effect, what }) => [origin, kind, subject, effect, what]),
  );
}

const COLUMNS = [
  "origin",
  "account",
  "login",
  "ownership",
  "made_by",
  "declared",
  "without_effect_because",
  "access.web",
  "access.api",
  "account_admin",
  "level",
  "nearest_preset",
  "vss_scope",
  "node_scope",
  "two_factor",
  "last_activity",
  "tokens",
  "oldest_token_days",
  "ends",
  "findings",
];

function yesOrNo(value: boolean | null): string {
  return value === null ? "unknown" : value ? "yes" : "no";
}

function oldest(ages: readonly (number | null)[]): string {
  const known = ages.flatMap((age) => age ?? []);
  return known.length === 0 ? "" : String(Math.max(...known));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/** Spreadsheets take a cell for a formula that begins with one of these signs, their wide forms too. Spreadsheets also swallow a quote at the beginning. */
const MISREAD = /^[=+\-@\uff1d\uff0b\uff0d\uff20']/;

/** One line with nothing that is not seen: a CSV is printed on terminals, too. */
function csvCell(value: string): string {
  const text = shownName(value);
  const harmless = MISREAD.test(text) ? `'${text}` : text;
  return /[",']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
