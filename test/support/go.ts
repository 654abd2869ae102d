/** @returns the places where Go keeps its downloads and builds: with another HOME alone it would download all of them again */
export function goEnvironment(): Readonly<Record<string, string>> {
  const { GOPATH, GOPROXY, GOSUMDB } = process.env;
  const places = Object.entries({ GOPATH, GOPROXY, GOSUMDB, GOFLAGS: "-mod=mod" });
  return Object.fromEntries(places.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
