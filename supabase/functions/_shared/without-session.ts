/** Options of a client for a server or a script: it never stores the session of an account. */
export const withoutSession = { persistSession: false, autoRefreshToken: false };
