import { spawn, type ChildProcess } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect } from "node:tls";
import { createInterface } from "node:readline";
import type { Certificate } from "../../src/lib/plugin-runtime/certificate";

export const MAGIC_COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/** A provider's process, as Terraform would start it. */
export class PluginProcess {
  readonly child: ChildProcess;
  /** The first line on stdout. */
  readonly line: string;

  private constructor(child: ChildProcess, line: string) {
    this.child = child;
    this.line = line;
  }

  static async start(
    program: string,
    environment: Readonly<Record<string, string>>,
    /** Starts the program as the child of a shell, which is the process that {@link child} is then. */
    { withParent = false } = {},
  ): Promise<PluginProcess> {
    const shell = withParent ? ["sh", "-c", '"$0" "$1" & wait'] : [];
    const [file = "", ...words] = [...shell, process.execPath, program];
    const child = spawn(file, words, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    child.stderr.resume();
    const lines = createInterface(child.stdout);
    const line = await Promise.race([
      once(lines, "line").then(([text]) => text as string),
      once(child, "exit").then(([code]) => `exited with ${code as number}`),
    ]);
    return new PluginProcess(child, line);
  }

  get socket(): string {
    return this.line.split("|")[3] ?? "";
  }

  /** The server's certificate in PEM, from the handshake. */
  get certificate(): string {
    return new X509Certificate(Buffer.from(this.line.split("|")[5] ?? "", "base64")).toString();
  }

  /** A connection with the given certificate, or none. */
  connect(client?: Certificate): ClientHttp2Session {
    const session = connectHttp2("https://localhost", {
      createConnection: () =>
        connect({
          path: this.socket,
          ca: this.certificate,
          servername: "localhost",
          ALPNProtocols: ["h2"],
          ...(client && { cert: client.pem, key: client.key }),
        }),
    });
    // An error of the connection is an error of each call on it, where a test sees it.
    session.on("error", () => undefined);
    return session;
  }

  /** Resolves with the exit code. */
  async exited(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    return this.child.exitCode;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}
