// An error of the caller's, in the shape that each of supabase-js' clients reads its message from.

/**
 * @param code what a program may go by; each service has its own kind of codes.
 * @param message what a person is shown.
 */
export function clientError(
  pathname: string,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(bodyOf(pathname, status, code, message), {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}

function bodyOf(pathname: string, status: number, code: string, message: string): object {
  if (pathname.startsWith("/auth/")) return { code: status, error_code: code, msg: message };
  if (pathname.startsWith("/rest/")) return { code, message, details: null, hint: null };
  if (pathname.startsWith("/storage/")) return { statusCode: String(status), error: code, message };
  return { error: message };
}
