/**
 * A random part of each delay between retries is left out: here it is always the largest, one half, so that histories go the same way each
 * time.
 * @returns what gives chance back
 */
export function withoutJitter(): () => void {
  const { random } = Math;
  Math.random = () => 0;
  return () => {
    Math.random = random;
  };
}
