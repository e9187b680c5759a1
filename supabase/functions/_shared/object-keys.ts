/** The keys of a constant object. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): Key[] {
  // A constant object has exactly the keys of its type.
  return Object.keys(object) as Key[];
}

/** An object with a value for each key. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  // Object.fromEntries loses the names of the keys.
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
