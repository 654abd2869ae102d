import { serveProvider } from "../../../src/lib/plugin-runtime";
import { vaultProvider } from "./provider";

void serveProvider(vaultProvider);
