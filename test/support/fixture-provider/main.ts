import { serveProvider } from "../../../src/lib/plugin-runtime";

void serveProvider(() => import("./provider.js").then(({ fixtureProvider }) => fixtureProvider));
