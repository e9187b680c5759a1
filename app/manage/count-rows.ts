/** `select` options for a number without rows, so that counting works for any number of rows. */
export const numberOnly = { count: "exact", head: true } as const;

type Counted = { count: number | null; error: Error | null };

/** @throws the backend's error */
export async function countRows(query: PromiseLike<Counted>): Promise<number> {
  const { count, error } = await query;
  if (error) throw error;
  return count ?? 0;
}
