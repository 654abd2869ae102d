/**
 * Retries wait for a random part of their delay: here it is the smallest part, none, so that histories full of faults are soon
 * over and go the same way each time.
 * @returns what gives chance back
 */
export function withoutJitter(): () => void {
  const { random } = Math;
  Math.random = () => 0;
  return () => {
    Math.random = random;
  };
}
