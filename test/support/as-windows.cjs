// For NODE_OPTIONS=--require: the product takes this for Windows. Node itself looked when it started, but for the folder of temporary files.
process.env.TEMP ??= "/tmp";
Object.defineProperty(process, "platform", { value: "win32", configurable: true, enumerable: true });
