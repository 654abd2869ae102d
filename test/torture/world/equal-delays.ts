/**
 * Makes all delays between retries equal, so that histories go the same way each time: the part that chance decides is always one half, the
 * largest.
 * @returns ends it
 */
export function withEqualDelays(): () => void {
  const { random } = Math;
  Math.random = () => 0;
  return () => {
    Math.random = random;
  };
}
