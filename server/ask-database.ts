// Asks the database whether the session of a request is allowed something: a function of the API that answers true or false.
interface Source {
  /** The backend's address, whose REST endpoint is asked. */
  backendUrl: string;
  anonKey: string;
  fetchBackend: typeof fetch;
}

/** @returns false also when the database does not answer */
export async function askDatabase(
  { backendUrl, anonKey, fetchBackend }: Source,
  question: "is_owner" | "has_just_signed_in",
  authorization: string,
): Promise<boolean> {
  try {
    const response = await fetchBackend(`${backendUrl}/rest/v1/rpc/${question}`, {
      method: "POST",
      headers: { apikey: anonKey, authorization, "content-type": "application/json" },
      body: "{}",
    });
    return response.ok && (await response.json()) === true;
  } catch {
    return false;
  }
}
