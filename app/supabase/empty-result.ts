/**
 * A read's 404 with an array as its body is an empty result. supabase-js makes it an empty list, also for a read of one row,
 * so this responds as PostgREST does where there is none.
 */
export async function toEmptyResult(response: Response, init?: RequestInit): Promise<Response> {
  if (response.status !== 404 || (init?.method ?? "GET") !== "GET") return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!Array.isArray(body)) return response;
  const isOneRow = new Headers(init?.headers).get("accept")?.includes("vnd.pgrst.object");
  if (!isOneRow) return Response.json([]);
  return Response.json({ code: "PGRST116", message: "PGRST116" }, { status: 406 });
}
