/**
 * A random id for a row or file (UUID version 4). Not `crypto.randomUUID`, which needs https except on loopback.
 */
export function newId(): string {
  return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}
