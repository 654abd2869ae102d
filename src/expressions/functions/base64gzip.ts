import { gzipSync } from "node:zlib";
import { define } from "./definition";
import { text } from "./parameter";

/** The bytes differ from those that Terraform's compressor makes; what they unpack to does not. */
export const base64gzip = define("base64gzip", [text("str")], ([str]) => gzipSync(str).toString("base64"));
