/** Ctrl-C: the first one lets what is under way end, the second one ends the process. Output that nobody reads any more is as a first one. */
import { EXIT } from "../exit-code";
import type { Io } from "../io";
import type { Screen } from "./screen";

/** Runs work that can be told to stop. */
export async function interruptible<T>(
  { io, screen }: { readonly io: Io; readonly screen: Screen },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopListening = io.onStop((because) => {
    if (because === "unread") {
      if (!controller.signal.aborted)
        screen.tell(
          "Stopping: nobody reads the output any more. What is under way is finished, nothing new is started.",
        );
      controller.abort();
      return;
    }
    if (controller.signal.aborted) {
      screen.tell("Left while work was under way: the next plan shows what was done.");
      io.exit(EXIT.stopped);
      return;
    }
    screen.tell(
      "Stopping: what is under way is finished, nothing new is started. Interrupt again to leave at once.",
    );
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    stopListening();
  }
}
