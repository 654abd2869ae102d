/** Simulated services in the test's own process, closed after each test. */
import { type Simulator, type SimulatorOptions, startSimulator } from "../../src/lib/simulator";
import { basic, bearer, type ServiceClient, serviceClient, type Shown } from "./service-client";

export interface Started {
  readonly simulator: Simulator;
  /** Asks as the system user. */
  readonly system: ServiceClient;
  /** Asks without credentials. */
  readonly anyone: ServiceClient;
  /** Asks with a password. */
  readonly as: (login: string, password?: string) => ServiceClient;
  /** Asks with a bearer token. */
  readonly withToken: (token: string) => ServiceClient;
  /** Makes an account whose primary user has the password "secret". */
  readonly account: (name: string, parameters?: object) => Promise<Shown>;
  /** Makes a user with the password "secret". */
  readonly user: (account: Shown, username: string, parameters?: object) => Promise<Shown>;
}

export function simulators(): (options?: SimulatorOptions) => Promise<Started> {
  const running: Simulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((simulator) => simulator.close()));
  });
  return async (options) => {
    const simulator = await startSimulator(options);
    running.push(simulator);
    const { baseUrl, username, password } = simulator;
    const as = (login: string, secret = "secret") => serviceClient(baseUrl, basic(login, secret));
    const system = as(username, password);
    return {
      simulator,
      system,
      anyone: serviceClient(baseUrl),
      as,
      withToken: (token) => serviceClient(baseUrl, bearer(token)),
      account: async (name, parameters) => {
        const reply = await system("POST", "/account", { name, password: "secret", ...parameters });
        expect(reply.status).toBe(201);
        return reply.body;
      },
      user: async (account, username, parameters) => {
        const reply = await system("POST", "/user-profile", {
          username,
          account_id: account.id,
          password: "secret",
          ...parameters,
        });
        expect(reply.status).toBe(201);
        return reply.body;
      },
    };
  };
}
