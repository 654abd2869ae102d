/** The entry of all runs of a history: every token that was created, and every secret. */
import { declaredUsers, entriesOf, type Declaration } from "../model/declaration";
import { DEPLOYER_PASSWORD, INSIDER_PASSWORD, SYSTEM_PASSWORD, TOTP_SECRET } from "../model/secrets";
import { isLogIn, isTokenCreation, type Exchange } from "./exchange";
import { accountNamed, profileWithLogin, type Snapshot } from "./snapshot";

export interface CreatedToken {
  readonly id: string;
  readonly serial: string;
  readonly secret: string;
  readonly login: string;
}

export class Chronicle {
  readonly createdTokens: CreatedToken[] = [];
  /** Serials that a run has told of, or that went with a state that somebody wiped: no run can do more for them. */
  readonly settledTokens = new Set<string>();
  /** Serials of which nothing can be known any more: the state was wiped, the token had ended and came back with a backup, or Terraform, which keeps no intents, was killed or got no answer. */
  readonly lostTokens = new Set<string>();
  /** Serials of tokens whose revocation was answered with success, and of which the run then saw a refusal. */
  readonly revokedTokens = new Set<string>();
  /** Serials of accounts and users that a run has created. */
  readonly madeRecords = new Set<string>();
  /** Serials of records that a run was told to import. */
  readonly importedRecords = new Set<string>();
  /** Each secret with a description of it. */
  readonly secrets = new Map<string, string>([
    [DEPLOYER_PASSWORD, "the run's own password"],
    [SYSTEM_PASSWORD, "the run's own password"],
    [INSIDER_PASSWORD, "the run's own password"],
    [TOTP_SECRET, "the secret of the run's one-time codes"],
  ]);

  /** @param printed what the run has told */
  noteReports(printed: readonly string[]): void {
    for (const { serial } of this.createdTokens)
      if (printed.some((text) => text.includes(serial))) this.settledTokens.add(serial);
  }

  /** @param isRecovery true where everything that is declared and live is recorded */
  noteImported(declaration: Declaration, before: Snapshot, isRecovery: boolean): void {
    const records = [
      ...entriesOf(declaration.accounts).map(
        ([name, { imported }]) => (isRecovery || imported) && accountNamed(before, name),
      ),
      ...declaredUsers(declaration).map(
        ({ login, user }) => (isRecovery || user.imported) && profileWithLogin(before, login),
      ),
    ];
    for (const record of records)
      if (record !== false && record !== undefined) this.importedRecords.add(record.serial);
  }

  /** Tokens that had ended came back with a backup of the service. */
  noteRevived(serials: Iterable<string>): void {
    for (const serial of serials) this.#giveUp(serial);
  }

  /** Terraform keeps no intents: of a token whose answer was lost, its user is all that can be told. */
  noteLost(exchanges: readonly Exchange[], printed: readonly string[]): void {
    const unheard = new Set(
      exchanges.filter(({ status, answer }) => status !== 201 || answer === "").flatMap(serialsCreatedIn),
    );
    for (const { serial, login } of this.createdTokens)
      if (unheard.has(serial) && printed.some((text) => text.includes(`whether a token of ${login} was `)))
        this.#giveUp(serial);
  }

  /** Somebody wiped the state. */
  noteWiped(): void {
    for (const { serial } of this.createdTokens) this.#giveUp(serial);
  }

  /** Nobody knows the tokens that a killed Terraform did not write to its state, since Terraform keeps no intents. */
  noteKilled(exchanges: readonly Exchange[]): void {
    for (const serial of exchanges.flatMap(serialsCreatedIn)) this.#giveUp(serial);
  }

  #noteRevoked(reference: string): void {
    for (const { id, serial } of this.createdTokens)
      if (id === reference || serial === reference) this.revokedTokens.add(serial);
  }

  #giveUp(serial: string): void {
    this.settledTokens.add(serial);
    this.lostTokens.add(serial);
  }

  /** @param exchanges also of a run that goes on */
  noteMade(exchanges: readonly Exchange[]): void {
    for (const { kind, before, after } of exchanges.flatMap(({ commits }) => commits))
      if (kind !== "token" && before === undefined && after !== undefined) this.madeRecords.add(after.serial);
  }

  /** @param loginOf the login of a profile */
  note(exchanges: readonly Exchange[], loginOf: (userId: string) => string | undefined): void {
    for (const [nth, exchange] of exchanges.entries()) {
      const { truth, sent, method, path } = exchange;
      if (isTokenCreation(exchange) && truth?.status === 201) {
        const record = JSON.parse(truth.body) as Record<string, string>;
        const { id = "", serial = "", access_token: secret = "", user_id: userId = "" } = record;
        this.createdTokens.push({ id, serial, secret, login: loginOf(userId) ?? "" });
        this.secrets.set(secret, `the token ${serial}`);
      }
      if (
        method === "DELETE" &&
        path.startsWith("/api/authorization/") &&
        (exchange.status ?? 500) < 300 &&
        exchanges.slice(nth).some(isRefusal)
      )
        this.#noteRevoked(decodeURIComponent(path.split("/").at(-1) ?? ""));
      if (isLogIn(exchange) && truth?.status === 201)
        this.secrets.set((JSON.parse(truth.body) as { access_token: string }).access_token, "a session");
      if ((method === "PATCH" || method === "POST") && sent !== "") {
        const { password } = JSON.parse(sent) as { password?: unknown };
        if (typeof password === "string") this.secrets.set(password, "a password that was set");
      }
    }
  }
}

function isRefusal({ path, status }: Exchange): boolean {
  return path === "/api/status/authorization" && status === 401;
}

/** Serial of the token that the service created. */
function serialsCreatedIn(exchange: Exchange): readonly string[] {
  const { truth } = exchange;
  if (!isTokenCreation(exchange) || truth?.status !== 201) return [];
  return [(JSON.parse(truth.body) as { serial: string }).serial];
}
