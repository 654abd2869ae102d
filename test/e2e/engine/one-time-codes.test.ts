/** A one-time code that another process has used before the run: covers src/api/session.ts in a whole run (W4). */
import { Secret, TOTP } from "otpauth";
import { unsettled } from "../../torture/invariants/peace";
import { DEPLOYER, edited, NOTHING } from "../../torture/model/declaration";
import { DEPLOYER_PASSWORD, TOTP_SECRET } from "../../torture/model/secrets";
import { APPLY, SERVICE } from "../../torture/runs/eventful-apply";
import { Observer } from "../../torture/runs/observer";
import { RUNNERS } from "../../torture/runs/runners";
import { Tally } from "../../torture/runs/tally";
import { World } from "../../torture/world/world";

const STEP_MS = 30_000;

/** Sets the clock so that the present step of codes ends soon: a run waits for the next one. */
function setClock(msLeft: number): void {
  const { now } = Date;
  const shift = STEP_MS - (now() % STEP_MS) - msLeft;
  jest.spyOn(Date, "now").mockImplementation(() => now() + shift);
}

afterEach(() => jest.restoreAllMocks());

test("a computed code that was used before is followed by the next one, and the run does its work", async () => {
  setClock(4_000);
  const world = await World.open({ service: SERVICE, caller: "deployer with one-time codes" });
  try {
    const tally = new Tally();
    const observer = new Observer(world, "embedded", await RUNNERS.engine.open(world), tally);
    const settings = { imported: true, protected: false };
    const declaration = edited(NOTHING, { kind: "account", account: "ops", settings });
    const otp = new TOTP({ secret: Secret.fromBase32(TOTP_SECRET) }).generate({ timestamp: Date.now() });
    const { status } = await fetch(`${world.service.baseUrl}/api/oauth2/token`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-otp": otp },
      body: JSON.stringify({ grant_type: "password", username: DEPLOYER, password: DEPLOYER_PASSWORD }),
    });
    expect(status).toBe(201);
    const applied = await observer.run({ ...APPLY, declaration });
    observer.demand(
      applied,
      "one apply settles everything in peace",
      unsettled(applied, () => true),
    );
    expect(applied.outcome.end).toBe("ok");
    expect(tally.counts).toHaveProperty(["reached: a one-time code had been used before"], 1);
  } finally {
    await world.close();
  }
});
