/** Options of `select` that return only the number of rows, which works for any number of them. */
export const numberOnly = { count: "exact", head: true } as const;

type Counted = { count: number | null; error: Error | null };

/** @throws the backend's error */
export async function countRows(query: PromiseLike<Counted>): Promise<number> {
  const { count, error } = await query;
  if (error) throw error;
  return count ?? 0;
}
