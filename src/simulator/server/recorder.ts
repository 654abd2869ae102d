/** Notes the requests that came in, for tests to look at. */
import type { RecordedRequest, Settings } from "../options";

/** A request under way; what is not known yet comes later. */
export type Entry = { -readonly [M in keyof RecordedRequest]: RecordedRequest[M] };

export class Recorder {
  readonly requests: Entry[] = [];

  constructor(private readonly settings: Settings) {}

  begin(method: string, path: string, body: unknown): Entry {
    const entry: Entry = { method, path, body, status: undefined, login: undefined };
    if (this.settings.record) this.requests.push(entry);
    return entry;
  }

  end(entry: Entry): void {
    this.settings.onRequest?.(entry);
  }

  clear(): void {
    this.requests.length = 0;
  }
}
