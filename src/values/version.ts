/** Whether a version is another one or a later one; both of the form `20.18.1`. */
export function isAtLeast(version: string, oldest: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of oldest.split(".").map(Number).entries()) {
    const difference = (parts[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
